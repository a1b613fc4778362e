//===- Profile.h - Counts a launch by instruction -------------------------===//
#pragma once
#include "emu/observe/Observers.h"
#include "emu/program/Op.h"
#include "runtime/profile/Counts.h"
#include "llvm/ADT/DenseMap.h"

namespace leno::profile {

struct ProfileSettings {
  bool memory = true;  ///< sectors, lines, banks and caches: twice the plain time at most; without 1.15
  bool cycles = false; ///< what warps wait for: with timing.model=cycles only
  bool bySm = false;   ///< where the machine, and not the host's threads, says which SM takes a CTA
};

/// Watches one launch; the same launch always gives the same counts, on any number of host threads. They are
/// complete whenever nothing runs.
class Profile final : public Observer {
public:
  explicit Profile(ProfileSettings settings) : settings(settings) {}

  /// Of each instruction, by its number in the program; behind them what is executed past its end.
  std::vector<CountRow> byWord;
  /// CTAs that have ended, in pieces of the grid of equal size, by linear number.
  struct Piece {
    u64 ctas = 0, instructions = 0; ///< of warps
  };
  static constexpr u64 mostPieces = 1024;
  std::vector<Piece> pieces;
  u64 ctasOfPiece = 1;
  std::vector<Piece> bySm; ///< by the number of the SM that a CTA ended on
  const ProfileSettings settings;

  Interests interests() const override;
  std::unique_ptr<Observer> clone() const override { return std::make_unique<Profile>(settings); }
  void merge(Observer &part) override;

  void gridStart(const GridRun &run) override;
  void gridEnd(const GridRun &run) override;
  void ctaStart(const Cta &) override { settle(); }
  void ctaEnd(const Cta &cta) override;
  void warpStart(const Warp &warp) override;
  void instruction(const Warp &warp, const Op &op, LaneMask executing) override;
  void executed(const Op &op, const OperationCount &count) override;
  void memory(const Warp &warp, const Op &op, const MemoryAccess &access) override;
  void constantAccess(const Warp &warp, const Op &op, const ConstantAccess &access) override;
  void stackWait(const Warp &warp, const Op &op, u64 cycles) override;
  void barrierArrive(const Warp &warp, const Op &op, unsigned barrier, BarrierOperation) override;
  void barrierRelease(const Cta &cta, unsigned barrier) override;

private:
  /// What has been attributed of an SM's accesses, by its cumulative counts.
  struct Attributed {
    u64 l1Hits = 0, l1Misses = 0, l2Requests = 0, l2Hits = 0, waited = 0;
  };
  /// A warp's last instruction, with the cycle model.
  struct Last {
    size_t word;
    u64 issued;
    u64 told = 0;                      ///< cycles of its wait whose reason is known
    u64 released = 0;                  ///< the cycle in which its barrier let it go
    std::optional<unsigned> barrier{}; ///< at which it waits
  };
  CountRow &at(const Warp &warp, const Op &op);
  void addRequests(CountRow &counts, MemorySpace space, u64 times, u64 bytes) const;
  void addCaches(CountRow &counts, const Warp &warp, MemorySpace space);
  void addWait(const Warp &warp, CountRow &counts, Count reason, u64 cycles);
  void addCta(u64 linear, unsigned sm, llvm::ArrayRef<Warp *> warps);
  void settle();

  const GridRun *grid = nullptr;
  /// A CTA that has ended in a turn that goes on: its warps' counts are not complete yet.
  struct Ended {
    u64 linear;
    unsigned sm;
    std::vector<Warp *> warps;
  };
  std::optional<Ended> ended;
  std::vector<std::array<Attributed, 2>> attributed; ///< by SM; global and local memory
  llvm::DenseMap<const Warp *, Last> last;
};

} // namespace leno::profile
