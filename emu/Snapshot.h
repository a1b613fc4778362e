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
  WarpMoment moment;
  std::unique_ptr<TokenStorage> storage;
  std::optional<DivergenceStack> stack;
  MemoryImage registers, local;
};

struct Cta::Saved {
  std::unique_ptr<Cta> rest; ///< all but its shared memory
  MemoryImage shared;
};

struct StreamingMultiprocessor::Saved {
  std::optional<StreamingMultiprocessorMoment> moment;
  std::vector<Warp::Saved> warps; ///< the places made until then
  std::vector<Cta::Saved> ctas;
};

struct Device::Saved {
  std::map<u64, MemoryImage> memory; ///< by base
  std::map<u64, StackRegion> stacks;
  std::optional<ConstantUnit> caches;
  AddressSpace::Pages pages;
  ConstantBanks banks;
  u32 grids = 0;
};

class Snapshot {
public:
  /// Warp instructions that the grid had executed.
  u64 instructions() const { return moment.executed; }

private:
  friend class GridRun;
  explicit Snapshot(const GridMoment &moment) : moment(moment) {}
  GridMoment moment;
  std::unique_ptr<Scheduler> scheduler;
  std::vector<StreamingMultiprocessor::Saved> multiprocessors;
  Device::Saved device;
};

} // namespace leno
