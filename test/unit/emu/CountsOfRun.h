#pragma once
#include "emu/observe/Observers.h"
#include "emu/observe/OperationCounts.h"
#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace leno::test {

/// All that is counted of a run by its stops, and generic accesses as they come: what lets it go without its
/// warps.
class CountsOfRun final : public ValueObserver<CountsOfRun> {
public:
  std::vector<std::array<u64, 3>> executed_; ///< by operation: times, lanes, accesses
  std::vector<StackEvents> stack;
  Progress made;
  u64 accesses = 0, ends = 0;
  bool operator==(const CountsOfRun &other) const {
    return executed_ == other.executed_ && stack == other.stack && made == other.made &&
           accesses == other.accesses && ends == other.ends;
  }

  Interests interests() const override { return withinTurns; }
  void executed(const Op &, const OperationCount &count) override {
    if (executed_.size() <= count.number) {
      executed_.resize(count.number + 1);
      stack.resize(count.number + 1);
    }
    const u64 counts[] = {count.times, count.lanes, count.accesses};
    for (size_t i = 0; i < 3; ++i)
      executed_[count.number][i] += counts[i];
    stack[count.number] += count.stack;
  }
  void progressed(const Progress &progress) override {
    made.ctas += progress.ctas;
    made.warps += progress.warps;
    made.deepestStack = std::max(made.deepestStack, progress.deepestStack);
  }
  void memory(const Warp &, const Op &, const MemoryAccess &access) override {
    accesses += u64(access.bytes) * u64(__builtin_popcount(access.lanes)) * (1 + unsigned(access.space));
  }
  void gridEnd(const GridRun &) override { ++ends; }
  CountsOfRun &operator+=(const CountsOfRun &part) {
    if (executed_.size() < part.executed_.size()) {
      executed_.resize(part.executed_.size());
      stack.resize(part.stack.size());
    }
    for (size_t i = 0; i < part.executed_.size(); ++i) {
      addEach(executed_[i], part.executed_[i]);
      stack[i] += part.stack[i];
    }
    progressed(part.made);
    accesses += part.accesses;
    ends += part.ends;
    return *this;
  }
  /// Where two differ first, for people.
  std::string differenceTo(const CountsOfRun &other) const {
    for (size_t i = 0; i < std::max(executed_.size(), other.executed_.size()); ++i) {
      const std::array<u64, 3> none{};
      const auto &a = i < executed_.size() ? executed_[i] : none;
      const auto &b = i < other.executed_.size() ? other.executed_[i] : none;
      if (a != b)
        return "operation " + std::to_string(i) + ": " + std::to_string(a[0]) + " times, " +
               std::to_string(a[1]) + " lanes, " + std::to_string(a[2]) + " accesses, and not " +
               std::to_string(b[0]) + ", " + std::to_string(b[1]) + ", " + std::to_string(b[2]);
      if (i < stack.size() && i < other.stack.size() && stack[i] != other.stack[i])
        return "operation " + std::to_string(i) + ": " + std::to_string(stack[i].pushed()) + " pushes, " +
               std::to_string(stack[i].popped()) + " pops, " + std::to_string(stack[i].divergences) +
               " divergences, and not " + std::to_string(other.stack[i].pushed()) + ", " +
               std::to_string(other.stack[i].popped()) + ", " + std::to_string(other.stack[i].divergences);
    }
    return *this == other
               ? ""
               : "the grid's: " + std::to_string(made.warps) + " warps, depth " +
                     std::to_string(made.deepestStack) + ", and not " + std::to_string(other.made.warps) +
                     ", " + std::to_string(other.made.deepestStack);
  }
};

} // namespace leno::test
