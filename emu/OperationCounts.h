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
    guards.resize(operations);
  }

  /// Operations `first` to `last` have executed, each once, under the active mask `active`.
  [[gnu::always_inline]] void stretch(size_t first, size_t last, LaneMask active) {
    unsigned lanes = countLanes(active);
    ++starts[first].times;
    starts[first].lanes += lanes;
    --starts[last + 1].times; // modulo 2^64: sums come out right
    starts[last + 1].lanes -= lanes;
    isEmpty = false;
  }
  /// One of them has a guard, which `lanes` of the active ones passed.
  [[gnu::always_inline]] void guarded(size_t operation, LaneMask lanes) {
    guards[operation].lanes += countLanes(lanes);
    guards[operation].accesses += lanes != 0;
  }

  /// Calls take(operation, count) for each that has executed since the last call.
  template <class HasGuard, class Take> void drain(HasGuard hasGuard, Take take) {
    if (isEmpty)
      return;
    OperationCount now;
    for (size_t i = 0; i < guards.size(); ++i) {
      now.times += starts[i].times;
      now.lanes += starts[i].lanes;
      OperationCount count{now.times, now.lanes, now.times};
      if (hasGuard(i))
        count.lanes = guards[i].lanes, count.accesses = guards[i].accesses;
      starts[i] = guards[i] = {};
      if (count.times)
        take(i, count);
    }
    starts.back() = {};
    isEmpty = true;
  }

private:
  /// The baseline of this kind of host has no instruction that counts bits; every host of today does.
  unsigned countLanes(LaneMask lanes) const {
#ifdef __x86_64__
    if (hostCountsBits) [[likely]] {
      unsigned count;
      asm("popcntl %1, %0" : "=r"(count) : "r"(lanes) : "cc");
      return count;
    }
#endif
    return unsigned(__builtin_popcount(lanes));
  }

#ifdef __x86_64__
  bool hostCountsBits = __builtin_cpu_supports("popcnt");
#endif
  std::vector<OperationCount> starts; ///< changes of the counts from one operation to the next
  std::vector<OperationCount> guards;
  bool isEmpty = true;
};

} // namespace leno
