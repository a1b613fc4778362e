//===- ParallelRun.h - A grid on the host's cores -------------------------===//
// Each host thread drives some of the SMs: a machine of its own (GridPart)
// with its own turns, which takes CTAs from the common count. Only what CTAs
// of a grid share is shared: global memory, the flags of its locks, and the
// watchdog's count. On one thread there is one part and nothing is shared.
//
// What can be seen of a program without races does not depend on the number
// of threads:
// - Memory, counts and traps of each CTA are its own.
// - Of several CTAs that trap the lowest tells (CHOICE): when a fault ends the
//   grid, CTAs after it end where they are, and those before it run on to
//   their end, or to a fault of their own that is told instead.
// - Of a tool that observes, each part has a clone, and what the clones gather
//   goes to it whenever nothing runs.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Machine.h"
#include <chrono>

namespace leno {

class ParallelRun {
public:
  using Nanoseconds = std::chrono::nanoseconds;

  /// `threads` host threads, at most one for each SM; 0: all cores of the host where nothing can tell (see
  /// whyOneThread) and the grid has several CTAs, else 1; where nothing can tell, LENO_THREADS in the
  /// environment sets another number. Fails as GridRun::create does, and when more than one thread is asked
  /// for and the machine's models are of all SMs together.
  static llvm::Expected<std::unique_ptr<ParallelRun>> create(Device &device, const Program &program,
                                                             const LaunchSpec &spec, unsigned threads = 0);
  /// What of the machine or the program would make a run on several threads differ from one on one, in words
  /// for people; empty when nothing would. `isCertain`: the machine's models cannot be cut in parts at all.
  static std::string whyOneThread(const MachineConfig &config, const Program &program, bool &isCertain);

  /// Runs until the grid ends or traps, or about so long and at least a slice, or until soon after `*stop` is
  /// true: Finished, Trapped, or Budget when there is more to do.
  StopReason run(Nanoseconds duration = Nanoseconds::max(), const std::atomic<bool> *stop = nullptr);

  unsigned threads() const { return unsigned(parts.size()); }
  const LaunchSpec &launch() const { return spec; }
  // While nothing runs:
  /// Warp instructions that a thread executes before it looks up.
  void setSlice(u64 instructions) { slice = instructions; }
  const std::optional<Trap> &trap() const { return fault; }
  bool finished() const { return isOver() && !fault; }
  u64 instructions() const;
  u64 ctasStarted() const;
  u64 ctasAbandoned() const;
  /// Processor time of the part that has taken the most; what it took is what a free host would take.
  double busiestSeconds() const;
  /// A warp that could run on, of the lowest CTA; null when there is none.
  const Warp *someWarp() const;
  /// Hears of what happens from now on, or has what its clones have heard whenever nothing runs, and must
  /// live longer. On several threads only one that has a clone.
  void addObserver(Observer &observer);
  /// What all models have counted; where there are any, it runs on one thread.
  CountTables countTables() const { return parts[0].grid().countTables(); }
  const MemoryChain *memoryChain() const { return std::as_const(parts[0].grid()).memoryChain(); }
  MemoryChain *memoryChain() { return parts[0].grid().memoryChain(); }

private:
  struct alignas(64) Part {
    std::unique_ptr<Machine> machine;
    std::vector<std::unique_ptr<Observer>> clones; ///< of `observers`
    u64 endsFrom = none;                           ///< CTAs from this one on are ended
    u64 afterFault = 0;                            ///< instructions since then
    double seconds = 0;                            ///< processor time
    GridRun &grid() const { return *machine->grid(); }
  };
  static constexpr u64 none = ~u64(0);
  /// Long enough for what is shared to cost nothing, short enough for a fault or a deadline to be soon seen.
  static constexpr u64 usualSlice = 50'000;
  /// By the cycle model SMs pass turns up to the end of it, each some thousands (Machine::passTurns).
  static constexpr u64 clockedSlice = 1'000'000;
  using Clock = std::chrono::steady_clock;

  ParallelRun(const LaunchSpec &spec) : spec(spec), left(spec.maxInstructions) {}
  /// When the threads shall pause.
  struct Pause {
    Clock::time_point end;
    const std::atomic<bool> *stop;
    bool isNow() const { return Clock::now() >= end || (stop && *stop); }
  };
  void runOnThreads(const Pause &pause);
  void work(Part &part, const Pause &pause);
  bool step(Part &part, u64 most);
  u64 reserve(u64 most);
  void noteFault(const Trap &trap, u64 cta);
  void endIdle();
  void timeout();
  bool isOver() const;
  void merge();

  LaunchSpec spec;
  SharedGrid shared;
  std::vector<Part> parts;
  std::atomic<u64> left;               ///< instructions before the watchdog ends the grid
  std::atomic<u64> firstFaulty = none; ///< the lowest CTA whose fault ends the grid
  std::mutex faultMutex;
  std::optional<Trap> fault;         ///< under faultMutex while threads run
  std::vector<Observer *> observers; ///< on several threads
  u64 slice = usualSlice;
  /// The number of threads is ours to choose: small grids end before a second one would have started.
  bool warmsUp = false;
  bool started = false, ended = false;
};

} // namespace leno
