//===- Decoder.h - Words to MC instructions and text ----------------------===//
#pragma once

#include "asm/Effects.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/MC/MCInst.h"

#include <memory>
#include <string>

namespace leno {

/// Decodes and prints single words; one object serves any number of calls.
class Decoder {
public:
  Decoder();
  ~Decoder();

  /// False when the word is not an instruction: unknown opcode, field or a bit that must be zero.
  bool decode(uint64_t word, llvm::MCInst &inst) const;
  /// The instruction as text, without the final semicolon; a branch target prints as `.+bytes`, relative to
  /// the instruction, unless `target` gives its name (and `join` that of the join).
  std::string print(const llvm::MCInst &inst, const std::string &target = "",
                    const std::string &join = "") const;
  /// The same with a symbol and an addend where a relocation will put a value; false when the instruction
  /// has no place for a value of that relocation.
  bool printRelocated(llvm::MCInst inst, unsigned relocation, const std::string &symbol, int64_t addend,
                      std::string &text) const;
  /// Why a word is not an instruction: the bits that are to blame, as far as one can tell.
  std::string explain(uint64_t word) const;
  /// What an instruction reads, writes and does.
  Effects effectsOf(const llvm::MCInst &inst) const;
  /// Text of a word, or `.quad 0x...` when it is not an instruction.
  std::string print(uint64_t word) const;
  /// Text of the word at `address`, its targets in `describe`'s words.
  std::string print(uint64_t word, uint64_t address,
                    llvm::function_ref<std::string(uint64_t)> describe) const;
  /// The number of a register: 0..254, 255 = RZ; 0..6, 7 = PT.
  unsigned encodingOf(llvm::MCRegister reg) const;
  /// A place in the program that an instruction names.
  struct Place {
    uint64_t address;
    bool absolute; ///< named by its address, and not by the distance to it
  };
  /// Where the instruction at `address` branches, if it names that.
  std::optional<Place> targetOf(const llvm::MCInst &inst, uint64_t address) const;
  /// The join of a set-sync form.
  std::optional<Place> joinOf(const llvm::MCInst &inst, uint64_t address) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

} // namespace leno
