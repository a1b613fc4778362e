//===- Snapshot.h - The whole machine at a moment -------------------------===//
// Everything that what happens next depends on: registers, predicates, codes,
// PCs, masks, stacks with their caches and counters, all memories, barriers,
// locks, clocks, counts and the trap; who has which SM, pushbuffers, semaphores,
// context storage, and grids, which a snapshot keeps alive when they end; and
// what those who watch know, where they say so (Observer::save). Breakpoints
// are not of it. The machine is deterministic, so a snapshot and the ticks since lead to the same bits
// again.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Machine.h"
#include "emu/memory/MemoryImage.h"

namespace leno {

struct Warp::Saved {
  WarpMoment moment;
  std::optional<StackRegion> region;
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
  std::optional<ConstantUnit> caches;
  AddressSpace::Pages pages;
  MessageTraffic traffic;
  ConstantBanks banks;
  u32 grids = 0;
};

struct GridRun::Saved {
  std::optional<GridMoment> moment;
  std::vector<StreamingMultiprocessor::Saved> multiprocessors;
  ObserverList::Saved tools;
};

class Snapshot {
public:
  /// Machine::ticks() when it was taken.
  u64 ticks() const { return moment.passed; }

private:
  friend class Machine;
  explicit Snapshot(const MachineMoment &moment) : moment(moment) {}

  struct OfContext {
    ContextMoment moment;
    std::deque<GridRun::Saved> grids; ///< of the moment's flights
    Device::Saved device;

    OfContext() = default;
    OfContext(OfContext &&) = default;
    const GridRun::Saved *of(const GridRun *grid) const {
      for (size_t i = 0; i < grids.size(); ++i)
        if (moment.flights[i].run.get() == grid)
          return &grids[i];
      return nullptr;
    }
  };
  MachineMoment moment;
  ObserverList::Saved tools;
  FrontEndMoment frontEnd;
  std::vector<OfContext> contexts;
};

} // namespace leno
