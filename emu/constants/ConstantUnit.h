//===- ConstantUnit.h - The constant caches of a device -------------------===//
// S2's caches as launches meet them: a protocol, what the constants are in
// the command stream by now, and the time that all takes. It belongs to the
// device and outlives launches: what one left in the caches the next one finds.
//
// The front end goes through its stream in order:
//
//     a constant command   write, until it is taken
//     a launch             bring, until it is taken: commands for the words of
//                          c[0] that are its own, and for all that the host has
//                          changed past the stream; then its CTAs go, one by
//                          one, to SMs that take work (launchOn), and only when
//                          all are given out does the next command come
//     a CTA is done        retire
//
// Of a context that shares its device (S4) no SM is there at first; they come
// and go (ConstantProtocol.h), and its launches have the device's time.
//
// Host threads that run launches on one device may call all but the copies and the counts at once.
//
// Two launches differ in c[0], the grid's number at least, so the work of an
// SM is of one launch at a time.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/CountTable.h"
#include "emu/MachineConfig.h"
#include "emu/constants/ConstantBanks.h"
#include "emu/constants/ConstantProtocol.h"
#include <mutex>

namespace leno {

class ConstantUnit final : private ConstantListener {
public:
  using Wait = ConstantProtocol::Wait;
  struct Read {
    u32 value;
    ConstantSource source;
    u64 done; ///< in cycles of the SM
  };

  /// `config` has been checked.
  explicit ConstantUnit(const MachineConfig &config);
  ConstantUnit(const ConstantUnit &other);
  /// `other` is of the same configuration.
  ConstantUnit &operator=(const ConstantUnit &other);

  // The front end. What is not taken, for the cause that is returned, is to be asked for again when
  // `retirements` has changed.
  Wait write(unsigned bank, u32 offset, u32 value);
  /// All that `banks` and the stream so far differ in. CHOICE: what stands in c[1..15] at the first launch
  /// was there before anything ran. Without a cycle a launch begins a time of its own when nothing else runs.
  Wait bring(const ConstantBanks &banks, std::optional<u64> cycle = std::nullopt);
  bool takesWork(unsigned sm) const {
    std::lock_guard lock(mutex);
    return protocol->takesWork(sm);
  }
  void launchOn(unsigned sm, u64 cycle);
  void retire(unsigned sm, u64 cycle);
  /// SMs that have become inactive, or come, so far: each may be what a command or a stalled read waits for.
  u64 retirements() const {
    std::lock_guard lock(mutex);
    return state.retired;
  }

  // SMs of a context that shares its device.
  /// Before anything else: no SM is there.
  void beginShared();
  /// Both return the words that context storage takes or gives (ConstantProtocol.h).
  u64 leave(unsigned sm, u64 cycle);
  u64 come(unsigned sm, unsigned place, u64 cycle);
  /// The one whose constants the L1 at `place` has.
  std::optional<unsigned> stateOn(unsigned place) const {
    std::lock_guard lock(mutex);
    return protocol->stateOn(place);
  }
  bool isPresent(unsigned sm) const {
    std::lock_guard lock(mutex);
    return protocol->isPresent(sm);
  }
  /// Time goes on; the next constant command comes in that cycle.
  void setCycle(u64 cycle) {
    std::lock_guard lock(mutex);
    takePosted(cycle);
  }

  // An SM.
  /// Without the cycle model nothing waits.
  bool takesTime() const { return timed; }
  /// What is behind the L2: when its line that `word` is in comes, asked for in `cycle`.
  using Memory = llvm::function_ref<u64(u32 word, u64 cycle)>;
  /// Issued at `cycle`; Stalled: nothing was read. Without a `memory` a miss of the L2 takes
  /// timing.memoryLatency.
  Read read(unsigned sm, u32 word, u64 cycle, Memory memory = {});
  /// Constants are still being copied to its L1 until then.
  u64 readyFrom(unsigned sm) const {
    std::lock_guard lock(mutex);
    return state.smReady[sm];
  }
  /// Its warps have waited for constants.
  void addWait(unsigned place, u64 cycles) { state.waits[place] += cycles; }

  /// Hears of all that the protocol does, in the cycle that it does it; null: nobody. Not a part of a copy.
  void setListener(ConstantListener *listener, u32 context) {
    std::lock_guard lock(mutex);
    ears = listener;
    contextId = context;
  }

  // Counts.
  CountTables tables() const;
  unsigned sms() const { return protocol->smCount(); }
  /// Of the SM `place`.
  const ConstantCounts &sm(unsigned place) const { return protocol->counts(place); }
  u64 waitCycles(unsigned place) const { return state.waits[place]; }
  ConstantL2::Counts l2() const { return protocol->l2Counts(); }
  u64 backupReads() const { return protocol->backupReads(); }
  unsigned mostVersions() const { return protocol->mostVersions(); }
  /// Constant commands taken.
  u64 commands() const { return state.taken; }
  /// Where c[bank][offset] is: for those who look.
  ConstantWordState stateOf(unsigned bank, u32 offset) const {
    std::lock_guard lock(mutex);
    return protocol->stateOf(constantWord(bank, offset));
  }

  /// All of it but the counts; what no launch has used yet is as nothing, as whoever looks first makes it.
  void addTo(StateHash &hash) const;

private:
  void constantEvent(const ConstantEvent &event) override;
  Wait take(unsigned bank, u32 offset, u32 value);
  void takePosted(u64 cycle);

  const ConstantLatencies latencies;
  const u64 memoryLatency;
  const bool timed;
  ConstantListener *ears = nullptr;
  u32 contextId = 0;
  mutable std::mutex mutex;
  std::unique_ptr<ConstantProtocol> protocol;
  struct State {
    std::array<std::vector<u32>, ConstantBanks::count> stream; ///< the constants, as commands have left them
    std::array<std::vector<bool>, ConstantBanks::count> commanded; ///< words of it
    bool anyLaunch = false;
    std::vector<u64> smReady, waits;
    u64 now = 0, l2Free = 0, taken = 0, retired = 0;
  } state;
};

} // namespace leno
