//===- RunAhead.h - What nobody else can see, before its turns ------------===//
// By the cycle model a warp has a turn for each instruction. Where nobody looks
// at it between two of them, it executes at once all that touches nothing but
// the warp itself and cannot trap, and then only passes its turns: the same
// cycles, counts and memory in each cycle, without starting the engine again
// for each instruction. It reads shared memory, too, where no warp of its CTA can
// change it before all have come to a barrier (program/SharedStores.h).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Warp.h"

namespace leno {

/// Operations that a warp executes ahead of its turns at most.
inline constexpr unsigned mostAhead = 192;

/// A ready warp that is not ahead goes on from its pc, where nobody watches instructions and time does not
/// pass for its stack.
void runAhead(Warp &warp, bool stackIsOnChip);

} // namespace leno
