//===- OperationCounts.h - How often each operation has executed ----------===//
// Counting every operation takes a fifth of the time; here a stretch of
// operations that execute one after the other under one active mask is counted
// once, when it ends. Only those with a guard are counted one by one.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Lanes.h"
#include <algorithm>
#include <vector>

namespace leno {

struct OperationCount {
  u64 times = 0;
  u64 lanes = 0;    ///< that executed, over all times
  u64 accesses = 0; ///< times with one lane or more
};

class OperationCounts {
public:
  /// For a program of `operations`, the trap at its end included.
  void resize(size_t operations) {
    starts.resize(operations + 1);
    guards.resize(operations);
  }

  /// Operations `first` to `last` have executed, each once, under the active mask `active`.
  void stretch(size_t first, size_t last, LaneMask active) {
    unsigned lanes = unsigned(__builtin_popcount(active));
    ++starts[first].times;
    starts[first].lanes += lanes;
    --starts[last + 1].times; // modulo 2^64: sums come out right
    starts[last + 1].lanes -= lanes;
    low = std::min(low, first);
    high = std::max(high, last);
  }
  /// One of them has a guard, which `lanes` of the active ones passed.
  void guarded(size_t operation, LaneMask lanes) {
    guards[operation].lanes += unsigned(__builtin_popcount(lanes));
    guards[operation].accesses += lanes != 0;
  }

  /// Calls take(operation, count) for each that has executed since the last call.
  template <class HasGuard, class Take> void drain(HasGuard hasGuard, Take take) {
    OperationCount now;
    for (size_t i = low; i <= high && low < guards.size(); ++i) {
      now.times += starts[i].times;
      now.lanes += starts[i].lanes;
      starts[i] = {};
      OperationCount count{now.times, now.lanes, now.times};
      if (hasGuard(i))
        count.lanes = guards[i].lanes, count.accesses = guards[i].accesses;
      guards[i] = {};
      if (count.times)
        take(i, count);
    }
    if (low < guards.size())
      starts[high + 1] = {};
    low = ~size_t(0);
    high = 0;
  }

private:
  std::vector<OperationCount> starts; ///< changes of the counts from one operation to the next
  std::vector<OperationCount> guards;
  size_t low = ~size_t(0), high = 0; ///< what has changed since the last drain
};

} // namespace leno
