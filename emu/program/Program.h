//===- Program.h - Predecoded code ----------------------------------------===//
// A word of code becomes an Op once, when a module is loaded. A Program knows
// nothing of ELF or MC: OpBuilder has the verbs that the predecoder calls,
// which is generated from TableGen.
//===----------------------------------------------------------------------===//
#pragma once
#include "asm/support/Assert.h"
#include "emu/constants/ConstantBanks.h"
#include "emu/engine/Engine.h"
#include "emu/program/Op.h"
#include "emu/program/OpNeeds.h"
#include "isa/Modifiers.h"
#include <compare>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leno::sem {
#define LENO_SEMANTIC(name) struct name;
#include "isa/LenoSemantics.def"
} // namespace leno::sem

namespace leno {

template <class S> inline constexpr Semantic semanticOf = Semantic::count;
#define LENO_SEMANTIC(name) template <> inline constexpr Semantic semanticOf<sem::name> = Semantic::name;
#include "isa/LenoSemantics.def"

class OpBuilder;

class Program {
public:
  /// A row of the frame that holds one word in all lanes. Values of several words fill rows side by side.
  struct PoolRow {
    bool isConstant;
    u32 value;        ///< immediate
    u32 bank, offset; ///< constant
    u32 words = 1;    ///< of the value, from this one on
    auto operator<=>(const PoolRow &) const = default;
  };

  explicit Program(const Engine &engine);

  const Engine &engine() const { return *theEngine; }
  /// Words of code; `ops()` holds one more, which traps PC_OUT_OF_RANGE.
  size_t size() const { return operations.size() - 1; }
  llvm::ArrayRef<Op> ops() const { return operations; }
  llvm::ArrayRef<PoolRow> pool() const { return poolRows; }
  /// The pool row that a source at that offset of the frame reads, if it reads one.
  std::optional<size_t> poolRowAt(s32 offset) const {
    s64 row = offset / s64(rowBytes);
    return row <= frame::firstPoolRow ? std::optional(size_t(frame::firstPoolRow - row)) : std::nullopt;
  }
  /// One more than the highest register that the code names.
  unsigned registers() const { return registerCount; }
  const OpNeeds &needs(size_t index) const { return needed[index]; }
  /// What a warp that begins at `entry` may do.
  struct Ways {
    bool waits; ///< comes to an instruction where it waits for others, or whose target is not known
    bool loops; ///< goes back; told of one that does not wait
  };
  Ways waysFrom(u64 entry) const;
  /// Ends building: judges the targets. To be called once, after the last operation.
  void seal();
  /// The word of code an operation was made from, for messages.
  u64 word(size_t index) const { return words[index]; }

private:
  friend class OpBuilder;
  /// The pool row of the first of these words; the others' rows stand above it in the frame.
  unsigned poolRowsOf(std::vector<PoolRow> words);

  const Engine *theEngine;
  std::vector<Op> operations;
  std::vector<u64> words;
  std::vector<OpNeeds> needed; ///< by operation
  std::vector<PoolRow> poolRows;
  std::map<std::vector<PoolRow>, unsigned> poolIndex;
  unsigned registerCount = 1;
};

enum class Slot : u8 { D, A, B, C };
enum class PSlot : u8 { U, V, P, Q, R };

/// Appends one operation to a program: the operands in any order, then bind, then finish.
class OpBuilder {
public:
  explicit OpBuilder(Program &program) : program(program) {}

  static constexpr unsigned zeroRegister = 255;

  void guard(unsigned predicate, bool negate);
  void unit(isa::Unit unit) { needs.unit = unit; }
  /// It reads and writes state beside its operands.
  void states(unsigned read, unsigned written) {
    needs.stateRead |= u16(read);
    needs.stateWritten |= u16(written);
  }
  void popSync(bool set) { op.flags |= set ? Op::popSync : 0; }
  /// `words`: how many registers the operand fills. Registers must then be aligned pairs or quads, constants
  /// aligned to their size.
  void dst(Slot slot, unsigned reg, unsigned words = 1);
  void src(Slot slot, unsigned reg, unsigned words = 1);
  void imm(Slot slot, u64 bits, unsigned words = 1);
  /// An immediate of single precision for a source of that format.
  void floatImm(Slot slot, u32 bits, isa::FloatFormat format);
  void constant(Slot slot, unsigned bank, u32 byteOffset, unsigned words = 1);
  void dstPred(PSlot slot, unsigned predicate);
  void srcPred(PSlot slot, unsigned predicate, bool negate);
  void special(isa::SpecialRegister reg) { op.extra = u8(reg); }
  void address(unsigned baseReg, bool is64, s32 byteOffset);
  void constantAddress(unsigned bank, unsigned baseReg, s32 byteOffset);
  void target(s64 bytesFromNextInstruction);
  /// A target named by its address.
  void absoluteTarget(s64 bytes) { target(bytes - s64(program.size() + 1) * 8); }
  void join(s64 bytesFromNextInstruction);
  void number(s64 value) { op.immediate = value; }
  void count(s64 threads) { op.extra = threads ? u8(threads / laneCount) : allWarps; }

  template <class S, class Mods> void bind(const Mods &mods) {
    static_assert(sizeof(Mods) <= sizeof(op.mods) && std::is_trivially_copyable_v<Mods>);
    static_assert(semanticOf<S> != Semantic::count, "no record names this semantic");
    std::memcpy(op.mods, &mods, sizeof(Mods));
    op.semantic = semanticOf<S>;
    op.inner = handlerFor(program.engine(), op.semantic, mods);
  }
  /// A word that is no instruction: reaching it traps.
  void illegal() { fault = undecodable; }
  /// Appends the operation. `word` is what it was decoded from.
  void finish(u64 word);

private:
  enum Fault : u8 { none, undecodable, misalignedRegister, misalignedConstant, misalignedTarget };
  void setRow(Slot slot, int row);
  void use(unsigned reg, unsigned words);
  void read(unsigned reg, unsigned words);

  Program &program;
  Op op;
  OpNeeds needs;
  Fault fault = none;
};

} // namespace leno
