//===- Snapshot.h - The whole machine at a moment -------------------------===//
// Everything that what happens next depends on: registers, predicates, codes,
// PCs, masks, stacks with their caches and counters, all memories, barriers,
// locks, schedulers, clocks, counts and the trap. What those who watch keep,
// breakpoints included, is theirs. The machine is deterministic, so a snapshot
// and the instructions since lead to the same bits again.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/GridRun.h"
#include "emu/MemoryImage.h"

namespace leno {

struct Warp::Saved {
  WarpState state;
  unsigned number;
  LaneMask launched;
  bool usedBefore;
  WarpClock time;
  std::unique_ptr<TokenStorage> storage;
  std::optional<DivergenceStack> stack;
  u64 instructions;
  unsigned locksHeld;
  u64 readyAt;
  const Op *barrierOp;
  LaneMask barrierLanes;
  bool stepOver;
  MemoryImage registers, local;
};

struct Cta::Saved {
  std::unique_ptr<Cta> rest; ///< all but its shared memory
  MemoryImage shared;
};

struct StreamingMultiprocessor::Saved {
  u64 sharedFree;
  unsigned resident;
  u64 cycles;
  std::optional<MemoryPort> port;
  std::vector<Warp *> freeWarps, running;
  size_t turn;
  std::vector<Warp::Saved> warps; ///< the places made until then
  std::vector<Cta::Saved> ctas;
};

struct Device::Saved {
  std::map<u64, MemoryImage> memory; ///< by base
  std::map<u64, StackRegion> stacks;
};

class Snapshot {
public:
  /// Warp instructions that the grid had executed.
  u64 instructions() const { return executed; }

private:
  friend class GridRun;
  u64 executed;
  Warp *faultyWarp;
  u64 abandoned;
  bool started, ended, ctaFinished, halted;
  TrapKind lastKind;
  std::optional<Trap> fault;
  LockTable locks;
  std::optional<WorkDistributor> distributor;
  std::unique_ptr<Scheduler> scheduler;
  std::optional<GlobalTraffic> traffic; ///< what the L2 slices hold decides how long accesses take
  std::vector<StreamingMultiprocessor::Saved> multiprocessors;
  Device::Saved device;
};

} // namespace leno
