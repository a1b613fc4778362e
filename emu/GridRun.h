//===- GridRun.h - A launch in progress -----------------------------------===//
// Runs a grid to its end, for a budget of instructions, or one warp
// instruction at a time; stops are values; all state can be looked at
// whenever nothing runs. Single-threaded and deterministic: the same launch
// takes the same turns, however it is cut into runs. ParallelRun.h puts several
// together, each a part of one grid.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Device.h"
#include "emu/LaunchCode.h"
#include "emu/LaunchConstants.h"
#include "emu/LocalMemory.h"
#include "emu/LockTable.h"
#include "emu/Observer.h"
#include "emu/OperationCounts.h"
#include "emu/Program.h"
#include "emu/Scheduler.h"
#include "emu/SharedGrid.h"
#include "emu/WorkDistributor.h"
#include "emu/engine/Tier.h"
#include "emu/memory/L2Traffic.h"
#include <limits>
#include <optional>

namespace leno {

struct LaunchSpec {
  std::string kernel; ///< for messages
  u64 entry = 0;      ///< byte address
  Dim3 grid, block;
  u32 sharedBytes = 0;             ///< of each CTA
  u32 localBytes = 0;              ///< of each lane
  unsigned registers = 0;          ///< the kernel's own count; at least the program's is made
  std::vector<uint8_t> parameters; ///< c[0] from bank0::parameters on
  u64 maxInstructions = std::numeric_limits<u64>::max(); ///< watchdog: warp instructions of the whole grid
};

enum class StopReason : u8 {
  Finished,
  Trapped,    ///< at the fault; where only its CTA ended (endsCtaOnly), once the rest of the grid has
  Breakpoint, ///< before the operation at the warp's pc, or after a BPT
  Budget,     ///< the instructions asked for have run
  Waiting,    ///< step: the warp waits at a barrier or has exited; run: for another launch (ConstantUnit.h)
  Requested,  ///< an observer asked for it
};

struct Stop {
  StopReason reason;
  Warp *warp = nullptr; ///< whose breakpoint, trap or step it was; Budget, Requested: the last that ran
};

class Snapshot;

/// A grid at a moment, but for its multiprocessors, its scheduler and memory: a snapshot copies it whole, so
/// that what is added here is never forgotten there. What those who watch keep is not of it.
struct GridMoment {
  WorkDistributor distributor;
  LockTable globalLocks{};
  std::optional<L2Traffic> traffic{}; ///< what the L2 slices hold decides how long accesses take
  u64 constantRetirements = 0; ///< of the device's constant caches, as far as this grid has looked at them
  u64 executed = 0;
  u64 replacements = 0; ///< of finished CTAs, counted for a debugger
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
  /// Fails on a launch that the machine cannot hold, with what to change. `program` and `device` must live
  /// longer, and so must what the parts of a grid share.
  static llvm::Expected<std::unique_ptr<GridRun>> create(Device &device, const Program &program,
                                                         const LaunchSpec &spec, const GridPart &part = {});

  /// What create() checks of a launch before it takes memory for it.
  static llvm::Error check(const MachineConfig &config, const Program &program, const LaunchSpec &spec);

  /// Hands out the first CTAs, so that their warps can be looked at; run and step do it themselves. False:
  /// the launch's constants wait for another launch on the device.
  bool start();
  /// Runs until the grid ends, traps, meets a breakpoint or has executed `budget` warp instructions; with a
  /// debugger, until so many moments have passed.
  Stop run(u64 budget = std::numeric_limits<u64>::max());
  /// One instruction of one warp, a breakpoint at its pc notwithstanding. Waiting: nothing has changed.
  Stop step(Warp &warp);
  /// Replaces CTAs that have finished, as running on does first. False: the grid has ended.
  bool settle();
  /// For observers: run and step return after the instruction that executes now.
  void requestStop() { stopRequested = true; }

  bool finished() const;
  /// The fault to tell of: one that ends the grid rather than one that ends its CTA only, of several the one
  /// of the lowest CTA.
  const std::optional<Trap> &trap() const { return fault; }
  /// No warp can run any more.
  bool isOver() const { return ended; }
  /// CTAs that a fault of their own has ended.
  u64 ctasAbandoned() const { return abandoned; }
  u64 instructions() const { return executed; }
  /// A debugger's time: warp instructions, and each replacement of finished CTAs while the grid goes on.
  u64 moments() const { return executed + replacements; }
  /// Such a replacement is the next moment.
  bool mustSettle() const { return ctaFinished && !halted && !finished(); }

  /// Stops before the operation at byte address `pc`; costs nothing until then. False: no operation is there.
  bool setBreakpoint(u64 pc, bool on);
  /// Without a debugger BPT traps; with one every trap stops the grid at once.
  void setDebugger(bool attached) { debugger = attached; }
  /// The observer hears of what happens from now on, and must live until it is removed or the grid ends.
  void addObserver(Observer &observer);
  void removeObserver(Observer &observer);

  /// The machine as it stands while nothing runs, its memory included. Pages that are as in `before` are
  /// shared with it, and `meter` counts the bytes that are not.
  std::unique_ptr<Snapshot> snapshot(const Snapshot *before, const std::shared_ptr<u64> &meter) const;
  /// Back, or on, to a snapshot of this very grid. Observers and breakpoints stay as they are.
  void restore(const Snapshot &snapshot);
  /// The same without the device's memory and constants, which outlive the grid.
  std::unique_ptr<Snapshot> snapshotAlone(const Snapshot *before, const std::shared_ptr<u64> &meter) const;
  void restoreAlone(const Snapshot &snapshot);

  Device &device() const { return machine; }
  const Program &program() const { return code; }
  const LaunchSpec &launch() const { return spec; }
  u32 gridId() const { return id; }
  unsigned warpsPerCta() const { return unsigned((spec.block.count() + laneCount - 1) / laneCount); }
  /// CTAs that run now, by SM and order of arrival.
  std::vector<Cta *> residentCtas() const;
  /// Null when that CTA does not run now.
  Cta *findCta(Dim3 index) const;
  u64 ctasStarted() const { return distributor.distributed(); }
  /// With the cycle model only.
  std::optional<CycleCounts> cycleCounts() const { return scheduler->counts(); }
  /// What the stacks of all warps have done.
  StackCounters stackCounters() const;
  /// Bits on the chip that each warp's stack takes, up to the nesting limit.
  u64 stackBitsOnChip() const;
  const ConstantBanks &constants() const { return banks; }
  /// With constants.model=caches only: what the device's caches have done so far.
  const ConstantUnit *constantUnit() const { return cachedConstants ? &machine.constantUnit() : nullptr; }
  /// With l2.model=slices only.
  const L2Traffic *l2Traffic() const { return traffic ? &*traffic : nullptr; }

  // For ParallelRun.
  /// Starts no more CTAs, ends those from the linear number `first` on, forgets the fault: the others can go
  /// on.
  void endCtasFrom(u64 first);
  /// A ready warp of the lowest CTA that has not finished; null when there is none.
  Warp *lowestReady() const;
  u64 linear(Dim3 cta) const { return (u64(cta.z) * spec.grid.y + cta.y) * spec.grid.x + cta.x; }
  /// The watchdog (Architecture.md 9): a kernel that runs for ever ends in a trap.
  Stop timeout(Warp &warp, u64 limit);

  // For a device that several grids share (device/DeviceRun.h), instead of start, run and step. It says where
  // each of the grid's multiprocessors is, and when it has its turn.
  /// First of all, in `cycle`: CTAs go out by handOut alone, and warps take their time from `clock`.
  void share(std::unique_ptr<Scheduler> clock, TileMapping mapping, u64 cycle);
  StreamingMultiprocessor &multiprocessor(size_t number) { return *multiprocessors[number]; }
  bool hasCtasToHandOut() const { return !distributor.empty(); }
  /// To those that have room; null: one that takes none now.
  void handOut(llvm::ArrayRef<StreamingMultiprocessor *> sms) { distributor.distribute(sms); }
  enum class Turned : u8 { Ran, Breakpoint, CtaFinished, Trapped };
  /// A turn of a warp that is ready, or a part of one.
  Turned turnOf(Warp &warp, u64 instructions);
  bool isStopRequested() const { return stopRequested; }
  bool takeStopRequest() { return std::exchange(stopRequested, false); }
  bool hasFinishedCtas() const { return ctaFinished; }
  /// A fault has ended it.
  bool isHalted() const { return halted; }
  /// What gives its warps the time: what share() took, or a copy of it.
  Scheduler &time() { return *scheduler; }
  /// Takes away the CTAs that have finished. True: the grid has ended, as its observers are told.
  bool retireFinished();
  /// Ends it with a TIMEOUT (Architecture.md 9, watchdog).
  void kill(std::string why);
  /// It is off the device now: its CTAs are no more, unless a snapshot brings it back.
  void release();
  /// The same where what the units outside of the grid know of it comes from a snapshot.
  void forgetCtas();

  // For the machine's own parts.
  OperationCounts &operationCounts() { return counts; }
  size_t indexOf(const Op &op) const { return launchCode.indexOf(op); }
  const Op *opAt(u64 words) const { return launchCode.at(words); }
  size_t size() const { return launchCode.size(); }
  const MemoryWindow *constantWindows(unsigned sm) const {
    return cachedConstants ? cachedConstants->windows(sm) : windows.data();
  }
  LaunchConstants *constantCaches() { return cachedConstants ? &*cachedConstants : nullptr; }
  /// The words of the pool rows, in the pool's order.
  llvm::ArrayRef<u32> poolWords() const { return pool; }
  unsigned registers() const { return registerCount; }
  /// Warps tell of their accesses.
  bool watched() const { return !observers.empty() || traffic; }
  /// Not only where nobody else knows them.
  bool memoryWatched() const { return observed || traffic; }
  /// An observer is told of each instruction; asks how often each has executed.
  bool observesEach() const { return observed; }
  bool countsOperations() const { return counted; }
  L2Traffic *l2Traffic() { return traffic ? &*traffic : nullptr; }
  /// The next warp's place in local memory.
  MemoryWindow placeLocal() { return local.place(); }
  u64 physicalOf(const MemoryWindow &placeOfLocal) const {
    return machine.driverMemory() + local.physicalOf(placeOfLocal);
  }
  /// Lock flags of global memory.
  LockTable &locks() { return part.shared ? part.shared->locks : globalLocks; }
  /// Guards them where other host threads run parts of the grid; else null.
  std::mutex *lockMutex() { return part.shared ? &part.shared->lockMutex : nullptr; }
  void releaseLocksOf(const Warp &warp);
  bool debuggerAttached() const { return debugger; }
  void raise(Trap trap);
  /// The first constant source of `op` that is outside its bank.
  std::optional<Program::PoolRow> badConstantOf(const Op &op) const;
  template <class F> void tell(F &&event) const {
    if (canBeWatched && !observers.empty()) [[unlikely]]
      for (Observer *observer : observers)
        event(*observer);
  }

private:
  GridRun(Device &device, const Program &program, const LaunchSpec &spec, LocalMemory local,
          const GridPart &part);
  void composeConstants();
  /// As start(), but hands nothing out. `cycle`: now, on a device that others use too.
  bool begin(std::optional<u64> cycle = std::nullopt);
  void patchConstants();
  void observersChanged();
  void tellCounts();
  Stop runOn(u64 budget);
  void chooseNext();
  void takeTurn(Warp &warp, u64 budget);
  void replaceFinished();
  void handOut();
  void handOutOne();
  bool constantsMoved() const;
  void wakeForConstants();
  std::optional<Stop> afterTurn(Warp &warp);
  std::optional<Stop> afterTrap(Warp &warp);
  Stop end();

  Device &machine;
  const Program &code;
  LaunchSpec spec;
  GridPart part;
  u32 id;
  unsigned registerCount;
  LaunchCode launchCode;
  std::unique_ptr<Tier> tier;
  ConstantBanks banks;
  LocalMemory local;
  std::array<MemoryWindow, ConstantBanks::count> windows;
  std::vector<u32> pool;
  std::optional<LaunchConstants> cachedConstants;
  std::vector<std::unique_ptr<StreamingMultiprocessor>> multiprocessors;
  std::unique_ptr<Scheduler> scheduler;
  bool debugger = false, stopRequested = false;
  u64 tookAt = 0; ///< instructions that a part had executed when it took one of the last CTAs
  u64 ctasAtOnce; ///< that the machine holds at most
  std::vector<Observer *> observers;
  bool observed = false, counted = false; ///< what one of them at least needs
  OperationCounts counts;
};

} // namespace leno
