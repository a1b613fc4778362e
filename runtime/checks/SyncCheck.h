//===- SyncCheck.h - Barriers and locks that do not fit together -----------===//
// What a run shows:
//
// - divergent-barrier: some live lanes of a warp arrive for all of it.
// - barrier-mismatch: warps that meet with other counts or other kinds of arrival,
//   or a count that is none. barrier-deadlock: nobody can go on.
// - barrier-missed: a barrier without a count lets its warps go on because
//   others, which have not arrived, have exited.
// - arrival-without-wait: warps arrive at a barrier by BAR.ARV, and nobody waits
//   there, up to the end of the CTA.
// - lock-taken-twice: a lane tries to take a lock that it holds.
// - lock-held-at-exit: beside the trap, where the lock was taken.
// - lock-order: a lane takes a lock while it holds another, and another lane has
//   taken them the other way round, by way of any number of locks.
// - simt-livelock: lanes try again and again to take a lock that a lane of their
//   own warp holds, which cannot run until they leave their loop; by LDLK, or by
//   an atomic that finds the same again and again. Or the watchdog ends a launch
//   of which nothing can run but lanes that others of their warps wait for.
//
// A store and its flag without MEMBAR are a race. SSY and PBK that are left over
// leno-as tells of.
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/checks/Check.h"
#include "llvm/ADT/DenseMap.h"
#include <set>

namespace leno::checks {

class SyncCheck final : public Check {
public:
  /// So many tries of a warp's lanes to take a lock that one of them holds are a livelock.
  static constexpr unsigned patience = 10'000;

  Interests interests() const override { return Life | Barriers | Locks | Atomics; }
  std::unique_ptr<Observer> save() const override { return std::make_unique<SyncCheck>(*this); }
  void restore(const Observer &saved) override {
    *this = static_cast<const SyncCheck &>(saved);
    shortCuts.clear();
  }

  void gridEnd(const GridRun &) override;
  void ctaEnd(const Cta &) override;
  void warpExit(const Warp &) override;
  void trap(const GridRun &, const Trap &) override;
  void memory(const Warp &, const Op &, const MemoryAccess &) override;
  void barrierArrive(const Warp &, const Op &, unsigned barrier, BarrierOperation) override;
  void barrierRelease(const Cta &, unsigned barrier) override;
  void lock(const Warp &, const Op &, const LockAccess &) override;
  void unlock(const Warp &, const Op &, const LockAccess &) override;

private:
  using GridKey = std::pair<u32, u32>;                 ///< context, number
  using CtaKey = std::pair<GridKey, u64>;              ///< and linear number
  using Lane = std::tuple<CtaKey, unsigned, unsigned>; ///< warp, lane
  /// A lock: context, its CTA's key (shared memory) or none, address of the word.
  using Lock = std::tuple<u32, std::optional<CtaKey>, u64>;
  /// What a warp did, and where; in few bytes, since every warp exits and few are told of.
  struct Place {
    u64 pc = 0;
    unsigned warp = 0;
    LaneMask lanes = 0; ///< none: it has not
    Action action(const char *what, const Cta &cta) const;
  };
  static Place placeOf(const Warp &warp, const Op &op, LaneMask lanes);
  struct Meeting {
    u64 arrived = 0;
    bool waits = false, countsAll = false;
    Place last; ///< of those that arrived
  };
  /// An atomic that a warp executes again and again.
  struct Spin {
    Place place;
    LaneMask seen = 0; ///< lanes that have executed it, and where
    std::array<u64, laneCount> addresses{};
    u64 value = 0; ///< of the word of its lowest lane, at its last
    unsigned times = 0;
  };
  struct CtaState {
    llvm::SmallVector<Spin, 0> spins;       ///< by warp
    llvm::SmallVector<Meeting, 1> meetings; ///< by barrier
    llvm::SmallVector<Place, 8> exits;      ///< by warp
    Meeting &at(unsigned barrier) {
      if (barrier >= meetings.size())
        meetings.resize(barrier + 1);
      return meetings[barrier];
    }
  };
  struct Holder {
    Lane lane;
    Action action;
    unsigned failures = 0; ///< of its own warp, since
  };
  /// A lane has taken a lock while it held another.
  struct Step {
    Lane lane;
    Action outer, inner;
  };

  static CtaKey keyOf(const Cta &cta);
  Lock lockOf(const Warp &warp, MemorySpace space, u64 address) const;
  void tell(const char *kind, std::string text, const CtaKey &cta, Action first,
            std::optional<Action> second = std::nullopt, const Lock *lock = nullptr);
  void fails(const Warp &warp, const Op &op, const LockAccess &access, unsigned lane);
  void takes(const Warp &warp, const Op &op, const LockAccess &access, unsigned lane);
  const Step *wayBack(const Lock &from, const Lock &to, const Lane &by) const;
  void watchdog(const GridRun &grid, const Trap &trap);
  void nobodyWaits(const Cta &cta, unsigned barrier, const Meeting &meeting);

  CtaState &stateOf(const Cta &cta) {
    CtaState *&state = shortCuts[&cta];
    if (!state)
      state = &ctas[keyOf(cta)];
    return *state;
  }

  std::map<CtaKey, CtaState> ctas;
  std::set<std::pair<CtaKey, unsigned>> starving;    ///< warps of which a livelock was told
  llvm::DenseMap<const Cta *, CtaState *> shortCuts; ///< to `ctas`
  std::map<Lock, Holder> holders;
  std::map<Lock, std::map<Lock, std::vector<Step>>> order; ///< outer, inner; of two lanes at most
};

} // namespace leno::checks
