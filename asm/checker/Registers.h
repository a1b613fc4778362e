//===- Registers.h - What was written, and what differs by lane -----------===//
#pragma once

#include "asm/checker/StackWalk.h"

#include <bitset>

namespace leno::check {

/// A set of cells of a lane's state (Code.h).
using Cells = std::bitset<cellCount>;

struct UnsetRead {
  uint32_t at;
  uint16_t cell;    ///< what was not written
  uint16_t operand; ///< the first cell of the operand that reads it
};

/// The cells that a walk's code may write, its callees' included.
Cells writtenBy(const Code &code, const Blocks &blocks, const StackWalk &walk,
                llvm::function_ref<Cells(uint32_t target)> writtenByCallee);

/// Reads that no write can come before, on any way from the root; each cell once.
std::vector<UnsetRead> unsetReads(const Code &code, const Blocks &blocks, const StackWalk &walk,
                                  llvm::function_ref<Cells(uint32_t target)> writtenByCallee);

/// The instructions whose guard surely differs between lanes of a warp: it was compared from a lane's number.
llvm::BitVector varyingGuards(const Code &code, const Blocks &blocks, const StackWalk &walk,
                              llvm::function_ref<Cells(uint32_t target)> writtenByCallee);

} // namespace leno::check
