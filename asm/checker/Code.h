//===- Code.h - A program as the static checker sees it -------------------===//
// What each instruction reads, writes and where control goes, from the records
// (isa/gen/effects.py); no instruction is named here.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/LenoMCTargetDesc.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/SMLoc.h"

#include <string>
#include <vector>

namespace llvm {
class MCInst;
}

namespace leno::check {

#define GET_LENO_FLOW
#include "isa/LenoEffects.inc"
#undef GET_LENO_FLOW

/// No instruction, no target, not known.
constexpr uint32_t none = ~0u;

/// Cells of a lane's state: R0 to R254, P0 to P6, CC.
constexpr unsigned firstPredicate = 255, flagsCell = 262, cellCount = 263;

/// "R4", "P0", "CC".
std::string cellName(unsigned cell);

/// One operand's registers, written or read.
struct Effect {
  uint16_t cell; ///< the first
  uint8_t count; ///< how many
  bool writes : 1;
  bool guards : 1; ///< the instruction's guard
};

struct Instruction {
  llvm::SMLoc loc;
  uint32_t firstEffect = 0;
  uint32_t target = none, join = none; ///< instruction numbers; none: not known
  uint8_t effectCount = 0;
  Flow flow = Flow::Opaque;
  uint8_t guard = 7;              ///< predicate, and 8 for a negated one
  bool conditional : 1 = false;   ///< some lanes may not execute it: a guard, or a test of CC
  bool never : 1 = false;         ///< @!PT
  bool sync : 1 = false;          ///< .S: the lanes join afterwards
  bool uniform : 1 = false;       ///< .U
  bool setSync : 1 = false;       ///< pushes SYNC with the join first
  bool distinct : 1 = false;      ///< results differ by lane where sources do
  bool byLane : 1 = false;        ///< the result differs by lane
  bool useless : 1 = false;       ///< all it writes is swallowed by RZ and PT
  bool startsSection : 1 = false; ///< nothing falls into it
  bool labelled : 1 = false;
  bool relative : 1 = false; ///< a number as target counts from the next instruction
};

/// How control came to be at the first instruction of a piece of code.
enum class RootKind : uint8_t {
  Kernel,   ///< launched: the stack is empty and nothing was written
  Function, ///< called: an entry of CALL is on top, registers carry arguments
};

struct Kernel {
  std::string name;
  uint32_t begin, end; ///< instruction numbers
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<Effect> effects;
  std::vector<Kernel> kernels;

  llvm::ArrayRef<Effect> effectsOf(const Instruction &inst) const {
    return llvm::ArrayRef(effects).slice(inst.firstEffect, inst.effectCount);
  }
  /// Appends what an instruction does; a number as target or join stays for the caller to resolve.
  Instruction &append(const llvm::MCInst &inst, const llvm::MCRegisterInfo &registers);
  /// Appends a word of which nothing is known.
  Instruction &appendOpaque();
  bool hasIndirect = false; ///< some branch goes where a register says
};

/// The operands of a branch in the MCInst: -1 when it has none.
int targetOperand(const llvm::MCInst &inst);
int joinOperand(const llvm::MCInst &inst);

/// The code of an image that starts at address 0, its kernels by (name, first word, words).
struct ImageKernel {
  std::string name;
  uint64_t entry, bytes;
};
Code decodeImage(llvm::ArrayRef<uint64_t> words, llvm::ArrayRef<ImageKernel> kernels);

} // namespace leno::check
