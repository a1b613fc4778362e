//===- HotKernel.h - What is known of a kernel over its launches ----------===//
// How much of it was interpreted, the code that was made of it beside the
// launches, and whether that is faster. All of it is the host's matter:
// nothing of a launch's results depends on it.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledKernel.h"
#include <atomic>
#include <list>
#include <map>
#include <mutex>

namespace leno::compiled {

/// Where a tier has its code from.
class KernelSource {
public:
  virtual ~KernelSource() = default;
  using Made = llvm::Expected<std::shared_ptr<const CompiledKernel>>;
  /// None: it is not there yet. Null: nothing of it would be compiled.
  virtual std::optional<Made> get(const Program &program, u64 entry, Warps warps,
                                  const RegionPlan::Guess &guess) = 0;
};

/// Makes it at once, and the launch waits.
class WaitingSource final : public KernelSource {
public:
  std::optional<Made> get(const Program &program, u64 entry, Warps warps,
                          const RegionPlan::Guess &guess) override {
    return CompiledKernel::get(program, entry, warps, guess);
  }
};

/// Looks for it on disk, and has it made by a process of low priority.
class HotKernel final : public KernelSource, public std::enable_shared_from_this<HotKernel> {
public:
  /// The one of a kernel, for any number of threads. Two kernels that are taken for one only share what is known.
  static std::shared_ptr<HotKernel> of(const Program &program, u64 entry);

  std::optional<Made> get(const Program &program, u64 entry, Warps warps,
                          const RegionPlan::Guess &guess) override;

  /// So many instructions were interpreted, or in code that was chosen.
  void executed(Observer::Interests watched, bool isCompiled, u64 instructions);
  /// Enough to look for code on disk, and to have it made.
  bool isWarm() const { return heatIsFrom(hotFrom.load(std::memory_order_relaxed) / 8); }
  bool isHot() const { return heatIsFrom(hotFrom.load(std::memory_order_relaxed)); }

  /// What the next turns are run by: the faster tier, or where that is not known yet the one of which less
  /// is.
  struct Choice {
    bool isCompiled = false, isMeasured = false;
    size_t codes = 0; ///< that there are now
  };
  /// `watched`: RegionPlan::Guess.
  Choice choice(Observer::Interests watched);
  struct Speed {
    u64 instructions = 0, time = 0, turns = 0;
    double timeOfEach() const { return double(time) / double(instructions + 1); }
  };
  /// Of turns as chosen. Where there is new code since, nothing is known of it.
  void measured(Observer::Interests watched, const Choice &choice, const Speed &speed);

  /// Some 20 ms of interpretation; tests want to see it earlier.
  static inline std::atomic<u64> hotFrom = 5'000'000;

private:
  struct Making;
  struct Speeds {
    Speed interpreted, compiled;
    bool hasBegun = false; ///< code: the first stretch in it finds out what it is about
    bool isKnown = false;  ///< which is faster: for so many instructions, as what a kernel is at may change
    u64 since = 0;         ///< of which so many have executed
  };
  bool heatIsFrom(u64 instructions) const { return heat.load(std::memory_order_relaxed) >= instructions; }
  void work(const std::shared_ptr<Making> &making, bool makes);

  std::atomic<u64> heat = 0;
  std::mutex mutex;
  std::map<Observer::Interests, Speeds> speeds; ///< by what is watched
  std::list<std::shared_ptr<Making>> makings;   ///< one for each code that was asked for,
  size_t codes = 0;                             ///< of which so many are done
};

} // namespace leno::compiled
