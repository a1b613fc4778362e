//===- Flows.h - Where lanes go in a program ------------------------------===//
#pragma once

#include "asm/checker/StackWalk.h"

namespace leno::check {

/// What one lane can do from the beginning of a kernel or function: joins, breaks and returns go where the
/// entries of its stack say.
struct FlowPart {
  uint32_t root; ///< instruction
  RootKind kind;
  bool complete;                                    ///< false: some branch goes where the code does not tell
  std::vector<uint32_t> reached;                    ///< blocks
  std::vector<std::pair<uint32_t, uint32_t>> edges; ///< between blocks
  std::vector<std::pair<uint32_t, uint32_t>> calls; ///< instruction, and the callee's first
};

struct Flows {
  Blocks blocks;
  std::vector<FlowPart> parts; ///< by root; the kernels, `functions`, and what they call
};

Flows flowsOf(const Code &code, llvm::ArrayRef<uint32_t> functions);

} // namespace leno::check
