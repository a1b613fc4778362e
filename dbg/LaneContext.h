//===- LaneContext.h - What an expression can see and change --------------===//
// The session's warp is one; unit tests have another.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Value.h"
#include "isa/FactNames.h"
#include "llvm/ADT/ArrayRef.h"

namespace leno::dbg {

namespace source {
struct Object;
} // namespace source

/// What a kernel's `.reg` or `.pred` names: one register, or several (`.reg m[0:3], R8`).
struct NamedRegisters {
  bool isPredicate, isRange;
  unsigned first;      ///< its number
  unsigned firstIndex; ///< m[0:3]: 0
  unsigned count;
};

/// S1, unified address mapping: where a generic address is.
std::pair<MemorySpace, u64> mapGeneric(u64 address);
enum class Flag : u8 { Overflow, Carry, Sign, Zero };

/// The focused lane of the focused warp, and the names of the program. Errors say why something is not there.
class LaneContext {
public:
  virtual ~LaneContext() = default;

  virtual unsigned lane() const = 0;
  /// Else there are only the program's names, and its memory.
  virtual bool hasLane() const { return true; }
  virtual llvm::Expected<LaneMask> activeMask() const = 0;
  virtual llvm::Expected<u32> readRegister(unsigned reg, unsigned lane) const = 0;
  virtual llvm::Expected<LaneMask> readPredicate(unsigned predicate) const = 0;
  virtual llvm::Expected<LaneMask> readFlag(Flag flag) const = 0;
  /// $pc and its like, named without the '$'; nullopt when there is no such variable.
  virtual llvm::Expected<std::optional<Value>> variable(llvm::StringRef name, unsigned lane) const = 0;
  /// A special register by its name in the assembly language; nullopt when there is no such register.
  virtual llvm::Expected<std::optional<Value>> special(llvm::StringRef name, unsigned lane) const = 0;
  /// A parameter (its value), a shared variable (its offset), data in global memory (their address) or a
  /// label (its address); nullopt when nothing is called so.
  virtual llvm::Expected<std::optional<Value>> named(llvm::StringRef name) const = 0;
  /// Inside of the brackets of c[bank][...]: the offset of a parameter, or of a name among the bank's data.
  virtual std::optional<u64> constantNamed(unsigned bank, llvm::StringRef name) const { return std::nullopt; }
  /// What is a register's name in the kernel.
  virtual std::optional<NamedRegisters> registersNamed(llvm::StringRef) const { return std::nullopt; }
  /// Whether the program tells of variables of its source, in C for example.
  virtual bool hasSource() const { return false; }
  /// A variable of the source, or an enumerator, where the call that is looked at stands; nullopt: there is none.
  virtual llvm::Expected<std::optional<source::Object>> sourceVariable(llvm::StringRef name,
                                                                       unsigned lane) const;
  virtual const source::Type *sourceType(llvm::StringRef) const { return nullptr; }
  /// It is a variable somewhere in the program.
  virtual bool sourceKnows(llvm::StringRef) const { return false; }
  /// `lane`: whose local memory.
  virtual llvm::Error read(MemorySpace space, unsigned bank, u64 address, unsigned lane,
                           llvm::MutableArrayRef<uint8_t> bytes) const = 0;

  virtual llvm::Error writeRegister(unsigned reg, unsigned lane, u32 value) = 0;
  virtual llvm::Error writePredicate(unsigned predicate, LaneMask mask) = 0;
  virtual llvm::Error writeFlag(Flag flag, LaneMask mask) = 0;
  virtual llvm::Error write(MemorySpace space, u64 address, unsigned lane, llvm::ArrayRef<uint8_t> bytes) = 0;
  /// A convenience variable, or $pc.
  virtual llvm::Error setVariable(llvm::StringRef name, const Value &value) = 0;
};

} // namespace leno::dbg
