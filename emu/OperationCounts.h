//===- OperationCounts.h - How often each operation has executed ----------===//
// Counting every operation takes a fifth of the time; here a stretch of
// operations that execute one after the other under one active mask is counted
// once, when it ends. Only those with a guard, or that may jump or change the
// mask, are looked at one by one.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Lanes.h"
#include <vector>

namespace leno {

struct OperationCount {
  u64 times = 0;
  u64 lanes = 0;    ///< that executed, over all times
  u64 accesses = 0; ///< times with one lane or more
};

struct Op;
/// Sets or clears Op::lookedAt: the operations of which more must be known than that their stretch has
/// executed.
void markOps(std::vector<Op> &ops, bool counted);

class OperationCounts {
public:
  /// For a program of `operations`, the trap at its end included.
  void resize(size_t operations) {
    starts.resize(operations + 1);
    jumps.resize(operations);
    guards.resize(operations);
  }

  /// From operation `first` on each executes once with so many active lanes,
  [[gnu::always_inline]] void enter(size_t first, unsigned lanes) { starts[first].add(1, lanes); }
  /// up to the one before `behind`.
  [[gnu::always_inline]] void leave(size_t behind, unsigned lanes) {
    starts[behind].add(~u64(0), 0 - u64(lanes)); // modulo 2^64: sums come out right
    isEmpty = false;
  }
  /// After `operation` all of them go on at its target: leave and enter in one, and `guarded`.
  [[gnu::always_inline]] void jump(size_t operation, unsigned lanes) { jumps[operation].add(1, lanes); }
  /// One of them has a guard, which `lanes` of the active ones passed.
  [[gnu::always_inline]] void guarded(size_t operation, LaneMask lanes) {
    if (lanes)
      guards[operation].add(1, countLanes(lanes));
  }

  /// Calls take(operation, count) for each that has executed since the last call. `target(i)` is where
  /// operation i jumps, `hasGuard(i)` whether it was counted with its guard.
  template <class Target, class HasGuard, class Take>
  void drain(Target target, HasGuard hasGuard, Take take) {
    if (isEmpty)
      return;
    for (size_t i = 0; i < jumps.size(); ++i)
      if (Pair &jump = jumps[i]; jump.times) {
        starts[i + 1].add(0 - jump.times, 0 - jump.lanes);
        starts[target(i)].add(jump.times, jump.lanes);
        guards[i].add(jump.times, jump.lanes);
        jump = {};
      }
    Pair now;
    for (size_t i = 0; i < guards.size(); ++i) {
      now.add(starts[i].times, starts[i].lanes);
      OperationCount count{now.times, now.lanes, now.times};
      if (hasGuard(i))
        count.lanes = guards[i].lanes, count.accesses = guards[i].times;
      starts[i] = guards[i] = {};
      if (count.times)
        take(i, count);
    }
    starts.back() = {};
    isEmpty = true;
  }

  /// The baseline of this kind of host has no instruction that counts bits; every host of today does.
  [[gnu::always_inline]] unsigned countLanes(LaneMask lanes) const {
#ifdef __x86_64__
    if (hostCountsBits) [[likely]] {
      unsigned count;
      asm("popcntl %1, %0" : "=r"(count) : "r"(lanes) : "cc");
      return count;
    }
#endif
    return unsigned(__builtin_popcount(lanes));
  }

private:
  struct alignas(16) Pair {
    u64 times = 0, lanes = 0;
    [[gnu::always_inline]] void add(u64 moreTimes, u64 moreLanes) { times += moreTimes, lanes += moreLanes; }
  };

#ifdef __x86_64__
  bool hostCountsBits = __builtin_cpu_supports("popcnt");
#endif
  bool isEmpty = true;
  std::vector<Pair> starts; ///< changes of the counts from one operation to the next
  std::vector<Pair> jumps, guards;
};

} // namespace leno
