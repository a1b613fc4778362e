// Races by the book, for small programs: a clock of all lanes for each lane, a list of all accesses, and all
// pairs of them. It knows nothing of RaceCheck but the rules (RaceCheck.h); what it is told comes from the
// instructions.
#pragma once
#include "emu/observe/Observer.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace leno::test {

class NaiveRaces final : public Observer {
public:
  /// A byte: space, CTA (shared memory; else 0), address.
  using Byte = std::tuple<MemorySpace, unsigned, u64>;
  using Pair = std::pair<u64, u64>; ///< byte addresses of the later and of the earlier instruction

  NaiveRaces(unsigned ctas, unsigned warps) : warps(warps), lanes(ctas * warps * laneCount) {
    for (size_t k = 0; k < lanes.size(); ++k)
      lanes[k].knows.assign(lanes.size(), 0);
  }
  /// The instructions that race at each byte.
  std::map<Byte, std::set<Pair>> races() const;

  Interests interests() const override { return Instructions | Memory | Barriers | Locks | Life; }
  void instruction(const Warp &warp, const Op &op, LaneMask executing) override;
  void memory(const Warp &warp, const Op &op, const MemoryAccess &access) override;
  void barrierArrive(const Warp &warp, const Op &op, unsigned barrier, BarrierOperation how) override;
  void barrierRelease(const Cta &cta, unsigned barrier) override;
  void warpExit(const Warp &warp) override;
  void lock(const Warp &warp, const Op &op, const LockAccess &access) override;
  void unlock(const Warp &warp, const Op &op, const LockAccess &access) override;

private:
  using Clock = std::vector<unsigned>;
  struct Lane {
    Clock knows, ctaFence, wideFence, ctaHeard, wideHeard;
  };
  struct Access {
    unsigned lane, when;
    Clock knows;
    u64 step;  ///< the instruction's, one for all lanes of a warp that execute it
    char kind; ///< 'l'oad, .cv load 'o', 's'tore, 'a'tomic
    unsigned bytes;
    u64 address, pc;
    std::vector<u32> value;
  };
  struct Flag {
    Clock wide;
    unsigned storer = 0; ///< the CTA of the last that stored there, and what it announced
    Clock storedNear, storedWide;
    std::map<unsigned, Clock> ofCta;
  };
  struct Meeting {
    Clock knows;
    bool all = false;
    std::vector<unsigned> waiting; ///< lanes
  };
  static void learn(Clock &clock, const Clock &other);
  unsigned firstLane(const Warp &warp) const;

  unsigned warps;
  std::vector<Lane> lanes;
  u64 step = 0;
  LaneMask taken = 0;
  std::map<std::tuple<MemorySpace, unsigned, u64>, std::vector<Access>> accesses; ///< by the word they lie in
  std::map<Byte, Flag> flags;
  std::map<Byte, Clock> locks;
  std::map<std::pair<unsigned, unsigned>, Meeting> meetings; ///< by CTA and barrier
  std::map<unsigned, Clock> gone;                            ///< by CTA: warps that have exited
};

} // namespace leno::test
