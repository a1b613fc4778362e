//===- RaceCheck.h - Accesses without an order between them ----------------===//
// Two accesses to a byte of global or shared memory conflict when one of them
// stores. They race when nothing orders them. What orders:
//
// - Lanes of a warp that are active together are in step: what they did is
//   before what any of them does next. Lanes on different paths are not ordered
//   until they are active together again.
// - A barrier: what came before an arrival is before what follows in those that
//   wait. One without a count waits for warps that exit, too.
// - A lock: what came before STUL (STSUL) is before what follows a LDLK that
//   takes the lock. A LDLK that fails has loaded nothing that means anything.
// - MEMBAR and a flag: what came before a MEMBAR that an atomic or a store
//   follows is before what comes after a MEMBAR that follows an atomic, or a load
//   .cv, of the same word. Both scopes must hold both sides: MEMBAR.CTA those of
//   a CTA. What an atomic has announced at a word stays announced, whoever stores
//   there; what a store has, up to the next store.
// - Launches: what has ended before another began.
//
// Atomics, locks and loads .cv do not race with one another, nor loads .cv with
// stores; atomics do with plain stores and loads. Lanes of one store that give a
// word different values race; of equal values one stays, whichever it is.
//
// What the host copies while a grid of the context runs is an access as others
// are, and nothing orders it; words of messages it reads as .cv does and writes
// as atomics, with a fence before and after each. Of that hears who runs a host
// program's launches. Not followed: local memory.
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/checks/Check.h"
#include "runtime/checks/ShadowMemory.h"
#include "runtime/checks/VectorClock.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>
#include <map>

namespace leno::checks {

class RaceCheck final : public Check {
public:
  RaceCheck() : shadow(u64(1) << 30) {}
  /// Shadow memory in bytes, at most; 1 GiB where nothing is said.
  void setMemory(u64 bytes) override { shadow.setLimit(bytes); }
  u64 shadowBytes() const override { return shadow.mostBytes(); }

  /// Bytes at which two accesses race, each time: for those who want more than findings.
  struct Race {
    MemorySpace space;
    u64 address;
    unsigned bytes;
    u64 first, second; ///< byte addresses of the later and of the earlier instruction
    Dim3 cta;          ///< of the later one
  };
  std::function<void(const Race &)> onRace;

  Interests interests() const override { return Life | Memory | Divergence | Barriers | Locks | Fences; }
  std::string limits() const override;
  std::unique_ptr<Observer> save() const override { return std::make_unique<RaceCheck>(*this); }
  void restore(const Observer &saved) override {
    *this = static_cast<const RaceCheck &>(saved);
    shortCuts.clear();
  }

  void gridStart(const GridRun &) override;
  void gridEnd(const GridRun &) override;
  void ctaStart(const Cta &) override;
  void ctaEnd(const Cta &) override;
  void warpExit(const Warp &) override;
  void memory(const Warp &, const Op &, const MemoryAccess &) override;
  void reconvergence(const Warp &, const Op &, const Token &, LaneMask lanes) override;
  void barrierArrive(const Warp &, const Op &, unsigned barrier, BarrierOperation) override;
  void barrierRelease(const Cta &, unsigned barrier) override;
  void lock(const Warp &, const Op &, const LockAccess &) override;
  void unlock(const Warp &, const Op &, const LockAccess &) override;
  void fence(const Warp &, const Op &, LaneMask lanes) override;
  void host(const HostEvent &event) override;

private:
  struct Flag {
    MemorySpace space = MemorySpace::Global;
    u64 address = ~u64(0); ///< none
    bool operator==(const Flag &) const = default;
  };
  /// What a store tells those who ask its word: in its CTA, elsewhere.
  struct Announced {
    u32 cta;
    VectorClock near, all;
  };
  using Published = llvm::DenseMap<u64, std::shared_ptr<const Announced>>; ///< by word
  /// Lanes of a warp that are in step.
  struct Strand {
    LaneMask lanes = 0;
    VectorClock knows;      ///< what is before its next access
    VectorClock atFence[2]; ///< what was before its last MEMBAR: of any scope, of .GL or .SYS
    VectorClock heard[2];   ///< what the next MEMBAR makes it know: of its CTA, of all
    std::shared_ptr<const Announced> announced; ///< the same, for words that it stores to; null: not made
    Flag flags[4]; ///< words that it has asked with an atomic or .cv lately, the latest first
    void join(const Strand &other);
    void ask(Flag flag);
  };
  struct WarpState {
    u32 id = 0, time = 0;
    std::vector<Strand> strands; ///< apart; the first is the one that ran last
    std::vector<u64> path;       ///< its calls at its last access, the outermost first
    u32 pathNumber = 0;
  };
  struct BarrierState {
    VectorClock knows;
    bool countsAll = false;
    std::vector<std::pair<unsigned, LaneMask>> waiting; ///< warps and lanes
  };
  struct CtaState {
    u32 id = 0;
    VectorClock exited;
    std::map<unsigned, BarrierState> barriers;
    Published published; ///< at words of shared memory
    std::vector<WarpState> warps;
  };
  /// What others can learn at a word.
  struct Word {
    VectorClock lock, all;
    std::map<u32, VectorClock> ofCta;
  };
  struct Who {
    Dim3 cta{0, 0, 0};
    unsigned warp = 0;
    size_t grid = 0;
    u32 ctaId = 0;
  };
  struct Grid {
    std::pair<u32, u32> id;   ///< context, number
    u64 begun = 0, ended = 0; ///< 0: it runs
    VectorClock knows = {};   ///< of what the host did before
    bool isHost = false;      ///< none: what the host does; `begun` is its last
  };
  using CtaKey = std::tuple<u32, u32, u64>; ///< context, grid, number

  static CtaKey keyOf(const Cta &cta);
  CtaState &stateOf(const Cta &cta) { return ctas[keyOf(cta)]; }
  WarpState &stateOf(const Warp &warp);
  void forget(const Cta &cta);
  Strand &strandOf(WarpState &state, LaneMask lanes);
  void advance(WarpState &state) { state.strands.front().knows.add(state.id, ++state.time); }
  u32 pathOf(const Warp &warp, WarpState &state);
  u64 pagesOf(const Warp &warp, MemorySpace space) const;
  std::string whatIsMissing(const Warp &warp, const ShadowMemory::Entry &before);
  u64 wordKey(const Warp &warp, const WarpState &state, MemorySpace space, u64 address) const;
  bool isOrdered(const Strand &strand, const WarpState &state, const ShadowMemory::Entry &entry) const;
  Published &publishedIn(const Warp &warp, MemorySpace space);
  ShadowMemory::Fate fateOf(const Strand &strand, const WarpState &state, Doing doing,
                            const ShadowMemory::Entry &before) const;
  void publish(const Warp &warp, WarpState &state, const MemoryAccess &access);
  void announce(const Warp &warp, WarpState &state, const MemoryAccess &access);
  void accessOf(const Warp &warp, const Op &op, const MemoryAccess &access, Doing doing, bool areConsecutive);
  void lockedAccess(const Warp &warp, const Op &op, const MemoryAccess &access);
  void compareLanes(const Warp &warp, const Op &op, const WarpState &state, const MemoryAccess &access);
  bool isHost(u32 person) const { return grids[people[person].grid].isHost; }
  void hostFound(u32 context, const ShadowMemory::Entry &now, const ShadowMemory::Entry &before, u64 address,
                 unsigned bytes);
  Action actionOf(const ShadowMemory::Entry &entry, u64 address) const;
  void found(const Warp &warp, const Op &op, const MemoryAccess &access, const ShadowMemory::Entry &now,
             const ShadowMemory::Entry &before, u64 address, unsigned bytes, bool isLatest);

  ShadowMemory shadow;
  std::vector<Who> people{1}; ///< by warp's number; 0 is nobody
  std::vector<std::vector<CallSite>> paths{1};
  std::map<std::vector<u64>, u32> pathNumbers;
  std::vector<Grid> grids;
  u64 moments = 0;
  u32 ctasSeen = 0;
  std::map<CtaKey, CtaState> ctas;
  std::map<u32, WarpState> hosts; ///< by context
  std::map<u64, Word> words;
  Published published; ///< at words of global memory
  LaneMask taken = 0;  ///< of the locks of the instruction that executes
  u64 accesses = 0, lost = 0;
  llvm::DenseMap<const Warp *, WarpState *> shortCuts; ///< to those of `ctas`
};

} // namespace leno::checks
