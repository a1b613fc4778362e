//===- SharedGrid.h - What the parts of one grid share --------------------===//
// Several host threads can run one grid, each with SMs of its own
// (ParallelRun.h). Little is common to them beside the guest's memory.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/sm/LockTable.h"
#include <atomic>
#include <mutex>

namespace leno {

struct SharedGrid {
  u32 gridId;
  std::atomic<u64> nextCta = 0; ///< to be handed out
  /// A part that has CTAs and took none for so many instructions takes one of the last: its own may wait for
  /// it.
  u64 patience = 0;
  std::mutex lockMutex;
  LockTable locks; ///< of global memory, under lockMutex
};

/// Every `count`-th SM from number `index` on.
struct GridPart {
  unsigned index = 0, count = 1;
  SharedGrid *shared = nullptr; ///< null: the part is all of the grid
};

} // namespace leno
