//===- Timing.h - A warp's clock and the SM's way to memory ---------------===//
// Architecture.md 11: latencies block the warp that needs what is still under way;
// whatever else the machine does goes on. With the cycle model off all
// latencies are 0, and nothing here costs or waits.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/StateHash.h"
#include <algorithm>
#include <vector>

namespace leno {

/// Two lines of the host's cache, which it may fetch together: what threads use apart is so far apart.
inline constexpr unsigned hostLines = 128;

/// Time as one warp sees it, in cycles of its SM. The scheduler sets it when the warp issues; a unit that
/// makes the warp wait moves it on, and the warp is ready again one cycle after it.
class WarpClock {
public:
  void issue(u64 cycle) {
    issuedAt = time = cycle;
    answerAt = 0;
  }
  u64 now() const { return time; }
  /// When the instruction that executes now was issued.
  u64 issued() const { return issuedAt; }
  /// The warp waits until `cycle`, if that is still to come; returns for how long.
  u64 waitUntil(u64 cycle) {
    if (cycle <= time)
      return 0;
    u64 waited = cycle - time;
    time = cycle;
    return waited;
  }

  /// For what a register of the instruction gets in `cycle`: the warp does so, too, where it has no
  /// scoreboard.
  u64 waitForResult(u64 cycle) {
    if (!hasScoreboard)
      return waitUntil(cycle);
    answerAt = std::max(answerAt, cycle);
    return 0;
  }
  /// When it gets it; 0: at once.
  u64 answer() const { return answerAt; }
  void setScoreboard() { hasScoreboard = true; }

private:
  u64 time = 0, issuedAt = 0, answerAt = 0;
  bool hasScoreboard = false;
};

/// What is behind a port: it can tell how long each transaction takes.
class MemoryBehindPort {
public:
  virtual ~MemoryBehindPort() = default;
  /// Of an SM, and it starts in `cycle`: when it is complete.
  virtual u64 transaction(unsigned sm, u64 address, u64 bytes, bool isWrite, u64 cycle) = 0;
  /// Other work has come to the SM.
  virtual void arrive(unsigned sm) {}
};

/// The port through which the warps of an SM reach the memory behind the chip: one transaction of 256 bits
/// every `interval` cycles, each complete `latency` cycles after its start.
class MemoryPort {
public:
  /// `postedWrites`: a write is done with for the chip once the port has taken it; otherwise when it is
  /// complete.
  MemoryPort(u64 latency, u64 interval, bool postedWrites)
      : latency(latency), interval(interval), posted(postedWrites) {}

  /// From now on `memory`, which lives longer, says how long a transaction of SM `sm` takes.
  void lead(MemoryBehindPort &memory, unsigned sm) {
    behind = &memory;
    number = sm;
  }
  /// The starts of the transactions of one SM, in order, those that are not over yet.
  using Queue = std::vector<u64>;
  /// The warps' state is on another SM now. `queue`: where others send theirs too; null: it has its own.
  void moveTo(unsigned sm, Queue *queue) {
    number = sm;
    shared = queue;
    if (behind)
      behind->arrive(sm);
  }
  void addTo(StateHash &hash) const { hash.all(shared ? *shared : own); }
  /// False: nothing ever waits for it, and nobody counts.
  bool matters() const { return interval > 0 || latency > 0 || behind; }
  /// A transaction that may start at `asked`, of an instruction issued at `issued`; returns when it is done.
  u64 read(u64 asked, u64 issued, u64 address, u64 bytes) {
    u64 begin = start(asked, issued);
    return behind ? behind->transaction(number, address, bytes, false, begin) : begin + latency;
  }
  u64 write(u64 asked, u64 issued, u64 address, u64 bytes) {
    u64 begin = start(asked, issued), end = begin + latency;
    if (behind)
      end = behind->transaction(number, address, bytes, true, begin);
    return posted ? begin + interval : end;
  }

private:
  // A warp that waits asks for times to come, and those of others may lie before: the port keeps the starts
  // that are not over yet, in order, and gives the first gap.
  u64 start(u64 asked, u64 issued) {
    if (interval == 0)
      return asked;
    Queue &starts = shared ? *shared : own;
    auto over = starts.begin();
    while (over != starts.end() && *over + interval <= issued)
      ++over;
    if (over != starts.begin())
      starts.erase(starts.begin(), over);
    if (starts.empty() || starts.back() + interval <= asked) {
      starts.push_back(asked);
      return asked;
    }
    u64 begin = asked;
    auto next = starts.begin();
    for (; next != starts.end() && *next < begin + interval; ++next)
      if (begin < *next + interval)
        begin = *next + interval;
    starts.insert(next, begin);
    return begin;
  }

  u64 latency, interval;
  bool posted;
  MemoryBehindPort *behind = nullptr;
  unsigned number = 0;
  Queue own, *shared = nullptr;
};

} // namespace leno
