//===- GridRun.h - A launch in progress -----------------------------------===//
// The state of a launch: its operations and constants, which of its CTAs are
// out, the warps that run them, its faults. The machine (Machine.h) runs it;
// all state can be looked at whenever nothing runs.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Device.h"
#include "emu/compiled/TierChoice.h"
#include "emu/constants/LaunchConstants.h"
#include "emu/engine/RunAhead.h"
#include "emu/engine/Tier.h"
#include "emu/launch/GridClock.h"
#include "emu/launch/SharedGrid.h"
#include "emu/launch/WholeTurns.h"
#include "emu/launch/WorkDistributor.h"
#include "emu/memory/MemoryChain.h"
#include "emu/observe/Observers.h"
#include "emu/observe/OperationCounts.h"
#include "emu/program/LaunchCode.h"
#include "emu/program/Program.h"
#include "emu/program/SharedStores.h"
#include "emu/sm/LockTable.h"
#include "emu/warp/LocalMemory.h"
#include <bit>
#include <limits>
#include <optional>
#include <set>

namespace leno {

struct LaunchSpec {
  std::string kernel; ///< for messages
  u64 entry = 0;      ///< byte address
  Dim3 grid, block;
  u32 sharedBytes = 0;             ///< of each CTA
  u32 localBytes = 0;              ///< of each lane
  unsigned registers = 0;          ///< the kernel's own count; at least the program's is made
  std::array<u32, 8> hostWords{};  ///< c[0] from bank0::hostWords on
  std::vector<uint8_t> parameters; ///< c[0] from bank0::parameters on
  u64 stackDepth = 0;              ///< S0: its nesting limit; 0: that of its context
  u64 maxInstructions = std::numeric_limits<u64>::max(); ///< watchdog: warp instructions of the whole grid
  TierChoice tier = TierChoice::Usual;
};

/// Those who watch all that a machine runs, and what they want of it.
struct Watchers {
  ObserverList observers;
  bool debugger = false;      ///< without one BPT traps; with one every trap stops the machine at once
  bool stopRequested = false; ///< after the tick that passes now
  bool runAhead = false;      ///< no warp is looked at where the machine stops
};

/// A grid at a moment, but for its multiprocessors and memory: a snapshot copies it whole, so that what is
/// added here is never forgotten there. What those who watch keep is not of it.
struct GridMoment {
  WorkDistributor distributor;
  GridClock clock;
  LockTable globalLocks{};
  std::optional<MemoryChain> chain{}; ///< what the models of memory hold decides how long accesses take
  u64 constantRetirements = 0; ///< of the device's constant caches, as far as this grid has looked at them
  u64 executed = 0;
  /// With units.model, by SM: instructions that units of each kind took, and cycles that warps waited for
  /// results.
  std::vector<std::array<u64, MachineConfig::Units::kindCount + 1>> unitCounts{};
  Warp *faultyWarp = nullptr;
  u64 abandoned = 0;
  bool started = false, ended = false, ctaFinished = false;
  bool halted = false;         ///< by a fault: nothing runs any more
  std::optional<Trap> fault{}; ///< the one to tell of
  TrapKind lastKind{};
};

class alignas(hostLines) GridRun : GridMoment {
public:
  ~GridRun();
  /// Fails on a launch that the machine cannot hold, with what to change. `program`, `device` and `watchers`
  /// must live longer, and so must what the parts of a grid share.
  static llvm::Expected<std::unique_ptr<GridRun>> create(Device &device, const Program &program,
                                                         const LaunchSpec &spec, Watchers &watchers,
                                                         const GridPart &part = {});

  /// What create() checks of a launch before it takes memory for it.
  static llvm::Error check(const MachineConfig &config, const Program &program, const LaunchSpec &spec);

  bool finished() const;
  /// The fault to tell of: one that ends the grid rather than one that ends its CTA only, of several the one
  /// of the lowest CTA.
  const std::optional<Trap> &trap() const { return fault; }
  /// No warp can run any more.
  bool isOver() const { return ended; }
  /// CTAs that a fault of their own has ended.
  u64 ctasAbandoned() const { return abandoned; }
  u64 instructions() const { return executed; }
  /// What comes of CTAs that have ended is the next tick of a launch alone.
  bool mustSettle() const { return ctaFinished && !halted && !finished(); }

  /// Stops before the operation at byte address `pc`; costs nothing until then. False: no operation is there.
  bool setBreakpoint(u64 pc, bool on);
  /// All that there shall be.
  void setBreakpoints(std::set<u64> addresses);
  /// Hears of what happens to this grid from now on, beside the machine's; must live until it is removed or
  /// the grid is no more.
  void addObserver(Observer &observer);
  void removeObserver(Observer &observer);
  /// Those of the machine have changed.
  void observersChanged();

  // For Snapshot: all but the device's memory and constants, which outlive the grid.
  struct Saved;
  void save(Saved &saved, const Saved *before, const std::shared_ptr<u64> &meter) const;
  /// Back, or on, to a moment of this very grid (Machine::restore).
  void restore(const Saved &saved);

  Device &device() const { return machine; }
  const Program &program() const { return code; }
  const LaunchSpec &launch() const { return spec; }
  u32 gridId() const { return id; }
  /// S0: entries that the stack of a warp may have.
  u64 nestingLimit() const { return spec.stackDepth ? spec.stackDepth : machine.nestingLimit(); }
  unsigned warpsPerCta() const { return unsigned((spec.block.count() + laneCount - 1) / laneCount); }
  /// CTAs that run now, by SM and order of arrival.
  std::vector<Cta *> residentCtas() const;
  /// Null when that CTA does not run now.
  Cta *findCta(Dim3 index) const;
  u64 ctasStarted() const { return distributor.distributed(); }
  /// With the cycle model only.
  std::optional<CycleCounts> cycleCounts() const { return clock.counts(); }
  /// What the stacks of all warps have done.
  StackCounters stackCounters() const;
  /// Bits on the chip that each warp's stack takes, up to the nesting limit.
  u64 stackBitsOnChip() const;
  const ConstantBanks &constants() const { return banks; }
  /// With constants.model=caches only: what the device's caches have done so far.
  const ConstantUnit *constantUnit() const { return cachedConstants ? &machine.constantUnit() : nullptr; }
  /// Where memory is modelled only.
  const MemoryChain *memoryChain() const { return chain ? &*chain : nullptr; }
  /// With units.model, what units have taken.
  CountTables unitTables() const;
  /// What all models have counted.
  CountTables countTables() const;

  // For the machine that runs it.
  /// Alone, or a part of a grid: hands out the first CTAs, so that their warps can be looked at. False: the
  /// launch's constants wait for another launch on the device.
  bool start();
  /// First of all, in `cycle`, on a machine with several contexts: CTAs go out by handOut alone, and warps
  /// take their time from `time`.
  /// `locks`: of the global memory, which other grids use too; `place`: of its local memory among theirs.
  /// False: its constants wait for older launches of the context, and it is to be asked for again.
  bool share(const GridClock &time, TileMapping mapping, LockTable &locks, unsigned place, u64 cycle);
  unsigned place() const { return localPlace; }
  bool hasBegun() const { return started; }
  llvm::ArrayRef<std::unique_ptr<StreamingMultiprocessor>> sms() const { return multiprocessors; }
  bool hasCtasToHandOut() const { return !distributor.empty(); }
  const CtaNeeds &needs() const { return distributor.ctaNeeds(); }
  /// To those that have room; null: one that takes none now.
  void handOut(llvm::ArrayRef<StreamingMultiprocessor *> sms) { distributor.distribute(sms); }
  /// CTAs that are not out yet go by another mapping; a grid that has begun.
  void remap(TileMapping mapping) { distributor.setMapping(mapping); }
  void addCtasOutTo(StateHash &hash) const { distributor.addTo(hash); }
  /// Alone: to all that have room.
  void handOut();
  /// Turns are taken without resident warps (WholeTurns.h).
  bool isWhole() const { return whole && (whole->isUnderWay() || !distributor.empty()); }
  /// Their turns, while `most` ticks are enough for one more. With few, or where somebody wants to see them,
  /// they go on as others do.
  WholeTurns::Ran runWhole(u64 most);
  /// Warps become resident, or resident ones go on in phases, behind a turn (Turned::MayChange), where the tier
  /// wants that now.
  void seekPhases();
  bool mayChange() const { return seeksPhases; }
  /// Behind one: the next is that of the SM of that number. False: it was not possible.
  bool enterPhases(size_t next);
  /// Warps that have become resident stay so for that many instructions, and longer where they become so soon
  /// again.
  static inline std::atomic<u64> usuallyResident = 200'000;
  /// The SM whose turn is next, where that is not the one it was.
  std::optional<size_t> turnsFrom() { return std::exchange(nextSm, std::nullopt); }
  /// CTAs that go out to SMs together.
  size_t ctasToTake() const { return takesOne() ? 1 : multiprocessors.size(); }
  /// Of a part that takes one of the last when it has none (handOut).
  bool takesOne() const { return part.shared && distributor.left() <= ctasAtOnce; }
  std::optional<Dim3> takeCta() {
    tookAt = executed;
    std::optional<Dim3> taken = distributor.take();
    if (taken)
      noteStarted();
    return taken;
  }
  /// All that a warp executes in a turn, or ever.
  Tier::Whole runWhole(Warp &warp, u64 turn);
  /// The same of a group, but for what is left; its CTAs are on the first SMs.
  bool runsGroups(u64 turn) { return tier->runsGroups(turn); }
  Tier::Grouped runGroup(Warp &warp, compiled::Group &group);
  /// What is left of a turn in a warp that has just started.
  u64 runLeft(Warp &from, Warp &to, u64 turn);
  /// As far as the machine and the program tell: warps begin and end in one turn each (WholeWarps.h),
  bool mayBeWhole() const { return isPlainMachine && !ways.waits; }
  /// or come to barriers (PhasedCtas.h).
  bool mayBePhased() const {
    constexpr u64 mostLocal = 1024; // bytes a lane: more is not to be there twice
    return isPlainMachine && ways.waits && spec.block.count() >= laneCount && spec.localBytes <= mostLocal;
  }
  bool runsPhases() { return tier->runsPhases(); }
  Tier::Phase runPhase(Warp &place, compiled::WarpWords &words, size_t from, u64 turn, bool isBlank) {
    return tier->runPhase(place, words, from, turn, isBlank);
  }
  const Tier::OwnPhases *ownPhases(size_t from) { return tier->ownPhases(from); }
  std::optional<Tier::OwnTurns>
  runOwnPhase(Warp &place, size_t from, llvm::ArrayRef<compiled::OwnTurn *> turns, u64 turn, u64 ofFirst) {
    return tier->runOwnPhase(place, from, turns, turn, ofFirst);
  }
  Tier::Phase goOnInPhase(Warp &warp, u64 turn) { return tier->goOn(warp, turn); }
  Tier::Phase resumeInPhase(Warp &warp, u64 turn) { return tier->resume(warp, turn); }
  /// Which nobody interprets.
  void executedBarrier(size_t at, LaneMask lanes) {
    if (canBeWatched && wants(Observer::Counts))
      counts.add(at, at + 1, 1, u64(__builtin_popcount(lanes)));
  }
  void executedTurn(u64 count) { executed += count; }
  const Program::Ways &waysOfKernel() const { return ways; }
  /// A part that has CTAs and took none for long takes one of the last.
  void takeWhenPatient() {
    if (part.shared && !whole && executed - tookAt > part.shared->patience)
      handOutOne();
  }
  enum class Turned : u8 { Ran, MayChange, Breakpoint, CtaFinished, Trapped };
  /// What comes of a turn.
  Turned endTurn(Warp &warp) {
    return warp.status == WarpStatus::Ready && !ctaFinished && !seeksPhases ? Turned::Ran : afterTurn(warp);
  }
  /// It may execute no more.
  bool isAtLimit() const { return executed >= spec.maxInstructions; }
  /// A turn of a warp that is ready, or a part of one.
  Turned turnOf(Warp &warp, u64 instructions) {
    if (isAtLimit()) [[unlikely]] {
      timeout(warp, executed);
      return Turned::Trapped;
    }
    takeTurn(warp, std::min(instructions, spec.maxInstructions - executed));
    return endTurn(warp);
  }
  /// Whether an SM can pass turns of warps that are ahead on its own, where so many ticks are left: nothing
  /// there or elsewhere can come between.
  bool passesTurns(const StreamingMultiprocessor &sm, u64 ticks) const {
    if (!runsAhead() || hasScoreboard() || fetches() || cachedConstants)
      return false;
    u64 left = std::min(ticks, spec.maxInstructions - executed);
    return left > u64(sm.residentWarps()) * mostAhead || left > sm.turnsAhead();
  }
  /// Whether a warp may execute instructions past the end of its turn that nobody else can see: nobody looks
  /// at it before its next turns, and the limit is far.
  bool executesPast() const {
    return watchers.runAhead && !watchers.debugger && !wants(~Observer::withinTurns) && clock.isStill() &&
           spec.maxInstructions - executed > nearLimit();
  }
  /// From so many instructions before it, all warps come to what they have executed past a turn.
  u64 nearLimit() const {
    const MachineConfig &config = machine.config();
    return config.sm.count * config.sm.warps * (config.scheduler.quantum + mostPast);
  }
  static constexpr u64 mostPast = 400; ///< as many as a block of compiled code has
  /// It has passed them, or taken them back.
  void passed(s64 turns) {
    executed += u64(turns);
    clock.passed(turns);
  }
  /// Of several parts of a grid, not the first.
  bool isLaterPart() const { return part.index > 0; }
  bool hasFinishedCtas() const { return ctaFinished; }
  /// A fault has ended it.
  bool isHalted() const { return halted; }
  Warp *faulty() const { return faultyWarp; }
  GridClock &time() { return clock; }
  /// Takes away the CTAs that have finished.
  void retireFinished();
  /// Nothing of it runs, and no CTA is left to go out.
  bool isEmpty() const;
  /// An SM has become inactive since the last time: it may take work, and caches may have room.
  bool constantsMoved() const {
    return cachedConstants && constantRetirements != machine.constantUnit().retirements();
  }
  void wakeForConstants();
  /// What observers count by operation.
  void tellCounts();
  /// No warp can run any more, as observers are told. False: warps wait for another launch.
  bool end();
  /// Ends it with a TIMEOUT (Architecture.md 9, watchdog).
  void kill(std::string why);
  /// The same of a kernel that runs for ever, where `warp` stands.
  void timeout(Warp &warp, u64 limit);
  /// It is off the device now: its CTAs are no more, unless a snapshot brings it back.
  void release();
  /// The same where what the units outside of the grid know of it comes from a snapshot.
  void forgetCtas();
  /// Starts no more CTAs, ends those from the linear number `first` on, forgets the fault: the others can go
  /// on.
  void endCtasFrom(u64 first);
  /// A ready warp of the lowest CTA that has not finished; null when there is none.
  Warp *lowestReady();
  u64 linear(Dim3 cta) const { return (u64(cta.z) * spec.grid.y + cta.y) * spec.grid.x + cta.x; }

  // For the machine's own parts.
  OperationCounts &operationCounts() { return counts; }
  size_t indexOf(const Op &op) const { return launchCode.indexOf(op); }
  const Op *opAt(u64 words) const { return launchCode.at(words); }
  size_t size() const { return launchCode.size(); }
  /// A warp whose next operation this is may change shared memory before all of its CTA have met.
  bool mayStoreToSharedFrom(const Op &next) {
    if (!sharedStores)
      sharedStores.emplace(code);
    return sharedStores->canComeFrom(indexOf(next)) || machine.config().barrier.divergent;
  }
  const MemoryWindow *constantWindows(unsigned sm) const {
    return cachedConstants ? cachedConstants->windows(sm) : windows.data();
  }
  LaunchConstants *constantCaches() { return cachedConstants ? &*cachedConstants : nullptr; }
  /// The words of the pool rows, in the pool's order.
  llvm::ArrayRef<u32> poolWords() const { return pool; }
  unsigned registers() const { return registerCount; }
  /// A CTA of it has.
  void noteStarted() {
    if (canBeWatched && wants(Observer::Counts))
      counts.started(warpsPerCta());
  }
  /// Where somebody counts: what the operation does with the stack.
  StackEvents *stackEvents(const Op &op) {
    return canBeWatched && wants(Observer::Counts) ? &counts.stackOf(indexOf(op)) : nullptr;
  }
  /// Somebody wants events of one of these kinds.
  bool wants(Observer::Interests kinds) const { return interests & kinds; }
  Observer::Interests wanted() const { return interests; }
  /// Warps tell of their accesses.
  bool memoryWatched() const { return wants(Observer::Memory); }
  /// Of those of LD and ST at least.
  bool genericWatched() const { return wants(Observer::GenericMemory); }
  /// Of atomics at least.
  bool atomicsWatched() const { return wants(Observer::Atomics); }
  MemoryChain *memoryChain() { return chain ? &*chain : nullptr; }
  /// A warp accesses pages for messages, and nothing has moved yet. What it stores lands later.
  void accessPlaced(const MemoryAccess &access, const MemoryChain::Placed &times);
  /// The next warp's place in local memory.
  MemoryWindow placeLocal() { return local.place(); }
  /// With units.model.
  bool hasScoreboard() const { return !unitCounts.empty(); }
  /// S0: with icache.model, the warp, which could issue in `cycle`, asks for its instruction.
  void fetch(Warp &warp, u64 cycle);
  bool fetches() const { return codePlace; }
  u64 physicalOf(const MemoryWindow &placeOfLocal) const {
    return machine.driverMemory() + local.physicalOf(placeOfLocal) +
           (u64(localPlace % LocalMemory::places) << LocalMemory::placeBits);
  }
  /// Lock flags of global memory.
  LockTable &locks() { return part.shared ? part.shared->locks : sharedLocks ? *sharedLocks : globalLocks; }
  /// Guards them where other host threads run parts of the grid; else null.
  std::mutex *lockMutex() { return part.shared ? &part.shared->lockMutex : nullptr; }
  void releaseLocksOf(const Warp &warp);
  const bool &isStopRequested() const { return watchers.stopRequested; }
  bool debuggerAttached() const { return watchers.debugger; }
  void raise(Trap trap);
  /// The first constant source of `op` that is outside its bank.
  std::optional<Program::PoolRow> badConstantOf(const Op &op) const;
  const std::vector<Observer *> &listenersTo(Observer::Interest kind) const {
    return listeners[std::countr_zero(unsigned(kind))];
  }
  /// Those who want events of this kind.
  template <class F> void tell(Observer::Interest kind, F &&event) const {
    if (canBeWatched && wants(kind)) [[unlikely]]
      for (Observer *observer : listenersTo(kind))
        event(*observer);
  }

private:
  GridRun(Device &device, const Program &program, const LaunchSpec &spec, Watchers &watchers,
          LocalMemory local, const GridPart &part);
  llvm::Error chooseTier();
  void composeConstants();
  /// `cycle`: now, on a device that others use too.
  bool begin(std::optional<u64> cycle = std::nullopt);
  void patchConstants();
  void takeTurn(Warp &warp, u64 budget);
  u64 execute(Warp &warp, u64 budget);
  bool runsAhead() const { // engine/RunAhead.h
    return watchers.runAhead && !watchers.debugger && !interests && clock.countsCycles();
  }
  void handOutOne();
  void settleWhole();
  void stayResident();
  void executedOnes(Warp &warp, u64 count);
  void postStores();
  void noteResults(Warp &warp, const Op &op);
  /// For stores that are posted.
  bool fencesWait() const { return machine.config().host.model != MachineConfig::Host::Off; }
  Turned afterTurn(Warp &warp);
  Turned afterTrap(Warp &warp);

  Device &machine;
  const Program &code;
  Watchers &watchers;
  LaunchSpec spec;
  GridPart part;
  LockTable *sharedLocks = nullptr;
  unsigned localPlace = 0;
  u64 codePlace = 0; ///< of the first instruction, in the driver's memory
  u32 id;
  unsigned registerCount;
  Program::Ways ways;
  bool isPlainMachine; ///< nothing of it but what instructions do is modelled
  LaunchCode launchCode;
  std::optional<SharedStores> sharedStores; ///< once somebody has asked
  std::unique_ptr<Tier> tier;
  ConstantBanks banks;
  LocalMemory local;
  std::array<MemoryWindow, ConstantBanks::count> windows;
  std::vector<u32> pool;
  std::optional<LaunchConstants> cachedConstants;
  std::vector<std::unique_ptr<StreamingMultiprocessor>> multiprocessors;
  bool hasHandedOut = false; ///< as usual
  std::unique_ptr<WholeTurns> whole;
  bool seeksPhases = false;
  u64 enteredPhases = 0, phasesFrom = 0, staysResident = 0; ///< instructions: when it did, and may again
  std::optional<size_t> nextSm;
  u64 tookAt = 0;   ///< instructions that a part had executed when it took one of the last CTAs
  u64 ctasAtOnce;   ///< that the machine holds at most
  /// What the instruction that executes now stores to pages for messages.
  struct Storing {
    u64 address;
    llvm::SmallVector<u8, 16> before;
    MemoryChain::Placed times;
  };
  std::vector<Storing> storing;
  ObserverList own; ///< of this grid alone
  /// By kind of event: of the machine's and then of its own those who want it.
  std::array<std::vector<Observer *>, std::popcount(Observer::everything)> listeners;
  Observer::Interests interests = 0; ///< of all of them
  std::set<u64> breakpoints;         ///< by setBreakpoints
  OperationCounts counts;
};

} // namespace leno
