//===- Checker.h - The static checker -------------------------------------===//
// Mistakes that assemble: joins without their push, reads of what nothing
// wrote, code that nothing reaches, barriers that some lanes miss; and how deep
// the divergence stack of each kernel gets. In doubt it is silent.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/checker/Code.h"

#include "asm/KernelInfo.h"

#include <optional>

namespace leno::check {

/// The checks, by the names that -W and -Wno- take.
enum class Check : uint8_t {
  UnbalancedSync,
  BreakWithoutPbk,
  ContinueWithoutPcnt,
  ReturnWithoutCall,
  PendingReturn,
  StackGrowth,
  Unreachable,
  MissingExit,
  UnsetRead,
  NoEffect,
  DivergentBarrier,
  // Of single statements, which the assembler sees (asm/LenoAsmAdvice.cpp).
  ParameterOffset,
  ShiftRange,
};
constexpr unsigned checkCount = 13;

struct CheckInfo {
  llvm::StringLiteral name;    ///< "unset-read"
  llvm::StringLiteral summary; ///< one line for --help
};
const CheckInfo &checkInfo(Check check);
std::optional<Check> findCheck(llvm::StringRef name);

struct Finding {
  Check check;
  uint32_t at;   ///< instruction
  int cell = -1; ///< of UnsetRead: what is read, as it is named in the operand
  std::string message;
  uint32_t noteAt = none; ///< where the note points; none: at the same place
  std::string note;       ///< the way out
};

struct Result {
  std::vector<Finding> findings;  ///< in the order of the instructions
  std::vector<StackDepth> depths; ///< of each kernel of the code
};

/// Checks a program. `functions`: where code begins that other files call; `others`: where control may come
/// to by ways that the text does not show.
Result check(const Code &code, llvm::ArrayRef<uint32_t> functions, llvm::ArrayRef<uint32_t> others);

/// Only the depths of the kernels' stacks.
std::vector<StackDepth> stackDepths(const Code &code);

} // namespace leno::check
