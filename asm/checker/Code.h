//===- Code.h - A program as the static checker sees it -------------------===//
// What each instruction reads, writes and where control goes (asm/Effects.h).
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/Effects.h"
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

using isa::Flow;

/// No instruction, no target, not known.
constexpr uint32_t none = ~0u;

/// "R4", "P0", "CC".
std::string cellName(unsigned cell);

struct Instruction : Execution {
  llvm::SMLoc loc;
  uint32_t firstEffect = 0;
  uint32_t target = none, join = none; ///< instruction numbers; none: not known
  uint8_t effectCount = 0;
  bool startsSection : 1 = false; ///< nothing falls into it
  bool labelled : 1 = false;
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

/// The code of an image that starts at address 0, its kernels by (name, first word, words).
struct ImageKernel {
  std::string name;
  uint64_t entry, bytes;
};
Code decodeImage(llvm::ArrayRef<uint64_t> words, llvm::ArrayRef<ImageKernel> kernels);

} // namespace leno::check
