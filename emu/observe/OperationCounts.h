//===- OperationCounts.h - How often each operation has executed ----------===//
// Counting every operation takes a fifth of the time; here a stretch of
// operations that execute one after the other under one active mask is counted
// once, when it ends. Within it neighbours with one guard, which none of them
// writes, are a group: what passes the guard is counted at the first. Only
// those that may jump or change the mask are looked at one by one.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/program/Op.h"
#include "emu/warp/TokenStorage.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace leno {

template <class Counts> void addEach(Counts &to, const Counts &from) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] += from[i];
}

/// What an operation did with the divergence stacks.
struct StackEvents {
  u64 divergences = 0, reconvergences = 0;
  std::array<u64, 5> pushes{}, pops{}; ///< by TokenType
  u64 popsOnChip = 0;                  ///< of entries that were on chip, and not still on their way
  StackCounters::Transfers spills, restores;
  u64 waits = 0, stallCycles = 0;

  /// Of all types.
  u64 pushed() const { return std::accumulate(pushes.begin(), pushes.end(), u64(0)); }
  u64 popped() const { return std::accumulate(pops.begin(), pops.end(), u64(0)); }
  StackEvents &operator+=(const StackEvents &other);
  bool operator==(const StackEvents &) const = default;
};

struct OperationCount {
  u64 times = 0;
  u64 lanes = 0;       ///< that executed, over all times
  u64 accesses = 0;    ///< times with one lane or more
  size_t number = 0;   ///< of the operation, in its program
  StackEvents stack{}; ///< as it happened: of an operation that then traps, too
};

/// What a grid has done beside.
struct Progress {
  u64 ctas = 0, warps = 0; ///< that have started
  size_t deepestStack = 0;
  bool operator==(const Progress &) const = default;
};

/// Sets how each operation is counted: those of which more must be known than that their stretch has executed
/// and the first of each group are to be run by wrappers (service::counted), all others as if nobody counted.
void markCounting(llvm::MutableArrayRef<Op> ops);
inline bool hasGuard(const Op &op) { return op.guard != truePredicate || op.guardFlip; }
/// Of marked operations: one that is in a group and not its first.
[[gnu::always_inline]] inline bool sharesGuard(const Op &op) {
  return hasGuard(op) && op.counting == Counting::WithOthers;
}

/// The active lanes of a warp while operations execute one after the other.
struct CountedStretch {
  LaneMask active = 0; ///< none: the warp is in no stretch
  unsigned lanes = 0;  ///< how many those are
};

class OperationCounts {
public:
  /// For a program of `operations`, the trap at its end included.
  void resize(size_t operations) {
    starts.resize(operations + 1);
    jumps.resize(operations);
    guards.resize(operations);
    stacks.resize(operations);
  }

  /// From operation `first` on each executes once with these active lanes,
  [[gnu::always_inline]] void enter(size_t first, LaneMask active, CountedStretch &stretch) {
    stretch = {active, countLanes(active)};
    starts[first].add(1, stretch.lanes);
  }
  /// up to the one before `behind`.
  [[gnu::always_inline]] void leave(size_t behind, CountedStretch &stretch) {
    starts[behind].add(~u64(0), 0 - u64(stretch.lanes)); // modulo 2^64: sums come out right
    stretch = {};
    isEmpty = false;
  }
  /// After `operation` all of them go on at its target: leave and enter in one, and `guarded`.
  [[gnu::always_inline]] void jump(size_t operation, const CountedStretch &stretch) {
    jumps[operation].add(1, stretch.lanes);
  }
  /// From `operation` to the end of its group each has a guard that `lanes` of the active ones passed,
  [[gnu::always_inline]] void guarded(size_t operation, LaneMask lanes) {
    if (lanes)
      guards[operation].add(1, countLanes(lanes));
  }
  /// but from this one on they have not executed.
  [[gnu::always_inline]] void leaveGroup(size_t operation, LaneMask lanes) {
    if (lanes)
      guards[operation].add(~u64(0), 0 - u64(countLanes(lanes)));
  }

  /// From `first` up to the one before `behind` each has executed so often, with so many active lanes in all.
  void add(size_t first, size_t behind, u64 times, u64 lanes) {
    starts[first].add(times, lanes);
    starts[behind].add(0 - times, 0 - lanes);
    isEmpty = false;
  }
  /// They have one guard, which so many lanes have passed at so many times.
  void addGuarded(llvm::ArrayRef<Op> ops, size_t first, size_t behind, u64 times, u64 lanes) {
    for (size_t i = first; i < behind; ++i)
      if (i == first || !sharesGuard(ops[i]))
        guards[i].add(times, lanes);
    if (sharesGuard(ops[behind]))
      guards[behind].add(0 - times, 0 - lanes);
  }

  StackEvents &stackOf(size_t operation) {
    isEmpty = false;
    return stacks[operation];
  }
  void started(u64 warps) {
    ++progress.ctas;
    progress.warps += warps;
  }
  void noteDepth(size_t depth) { progress.deepestStack = std::max(progress.deepestStack, depth); }

  Progress drainProgress() { return std::exchange(progress, {}); }
  /// Calls take(operation, count) for each of the marked `ops` that has done something since the last call.
  template <class Take> void drain(llvm::ArrayRef<Op> ops, Take take) {
    if (isEmpty)
      return;
    for (size_t i = 0; i < jumps.size(); ++i)
      if (Pair &jump = jumps[i]; jump.times) {
        starts[i + 1].add(0 - jump.times, 0 - jump.lanes);
        starts[size_t(s64(i) + 1 + ops[i].immediate)].add(jump.times, jump.lanes);
        guards[i].add(jump.times, jump.lanes);
        jump = {};
      }
    Pair now, passed;
    for (size_t i = 0; i < guards.size(); ++i) {
      now.add(starts[i].times, starts[i].lanes);
      OperationCount count{now.times, now.lanes, now.times, i, std::exchange(stacks[i], {})};
      if (!sharesGuard(ops[i]))
        passed = {};
      passed.add(guards[i].times, guards[i].lanes);
      if (hasGuard(ops[i]))
        count.lanes = passed.lanes, count.accesses = passed.times;
      starts[i] = guards[i] = {};
      if (count.times || count.stack != StackEvents())
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
  std::vector<Pair> jumps;
  std::vector<Pair> guards; ///< changes too, within a group
  std::vector<StackEvents> stacks;
  Progress progress;
};

} // namespace leno
