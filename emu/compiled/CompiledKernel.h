//===- CompiledKernel.h - Machine code of a kernel ------------------------===//
#pragma once
#include "emu/compiled/CodeCache.h"
#include "emu/compiled/LinkedCode.h"
#include "emu/compiled/RegionPlan.h"
#include "emu/program/LaunchCode.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <memory>
#include <mutex>

namespace leno::compiled {

/// Makes an image elsewhere than in this process, and keeps it; empty: it was given up.
using MakesImage = llvm::function_ref<std::string(const Region &region, const CodeCache::Key &key)>;

/// What a launch has beside its warps for a kernel's code.
struct Tables {
  std::vector<u64> counters; ///< of code that counts
  std::vector<Windows> windows;
};

class CompiledKernel {
public:
  /// What a kernel of the program becomes: made now, or known from before, of this program or another with the
  /// same operations. Null where nothing of it would be compiled. Fails where the compiler's library cannot be
  /// had. For any number of threads.
  static llvm::Expected<std::shared_ptr<const CompiledKernel>>
  get(const Program &program, u64 entry, Warps warps, const RegionPlan::Guess &guess);
  /// `makeImage`: of what is neither known nor on disk; null: this process does, and others wait.
  static llvm::Expected<std::shared_ptr<const CompiledKernel>> get(RegionPlan plan, const char *width,
                                                                   MakesImage makeImage = nullptr);
  /// What has been made in this process so far.
  struct Totals {
    u64 codes = 0, known = 0; ///< known: of them, those that were on disk
    u64 bytes = 0;
    double seconds = 0;
  };
  static Totals totals();
  /// The host's assembly of what it would become, line by line: the index of the operation that a line is of,
  /// or `none`, and its text. Returns what of the program is in it; empty: nothing would be compiled.
  static llvm::Expected<RegionPlan> list(const Program &program, u64 entry, Warps warps,
                                         llvm::function_ref<void(u32 index, llvm::StringRef text)> line);
  CompiledKernel(const CompiledKernel &) = delete;
  CompiledKernel &operator=(const CompiledKernel &) = delete;

  static constexpr u32 none = ~u32(0);
  /// The number of the leader at that index in the program, or none.
  u32 leaderAt(size_t index) const { return index < leaders.size() ? leaders[index] : none; }
  size_t leaderCount() const { return placeOfLeader.size(); }
  /// Code that is entered there is left again soon, as launches have found out: those to come need not.
  void noteSoonLeft(u32 leader) const { soonLeft[leader].store(true, std::memory_order_relaxed); }
  const RegionPlan::Guess &guess() const { return thePlan.guess; }
  /// What launches of processes before have found out, whose accesses were not as guessed; none: nothing.
  const std::optional<RegionPlan::Guess> &keptGuess() const { return theKeptGuess; }
  /// What launches of this one have made of it; null: none so far.
  std::shared_ptr<const CompiledKernel> later() const {
    std::lock_guard lock(laterMutex);
    return madeLater;
  }
  void noteLater(std::shared_ptr<const CompiledKernel> kernel) const;
  /// The allocation that Windows of that number were in last, in any launch: the next one likely begins
  /// there.
  void noteBase(u16 window, u64 base) const { bases[window].store(base, std::memory_order_relaxed); }
  u64 baseOf(u16 window) const { return bases[window].load(std::memory_order_relaxed); }
  bool isSoonLeft(u32 leader) const { return soonLeft[leader].load(std::memory_order_relaxed); }
  /// The stack's shape at that leader.
  const StackShape &shapeAt(u32 leader) const { return thePlan.stacks[placeOfLeader[leader].shape]; }
  /// Null: there is none.
  const Operation *operationAt(u32 index) const;
  /// Lanes may part at the operation of that index.
  bool partsAt(u32 index) const;
  llvm::ArrayRef<Operation> operations() const { return thePlan.operations; }
  const StackShape &shape(u32 number) const { return thePlan.stacks[number]; }
  /// Where one part is left for another, code goes on there.
  u32 run(WarpWords &words, u32 leader, Kept &kept, Tables &tables) const {
    for (;;) {
      const Place &its = placeOfLeader[leader];
      const u32 at = enter(*parts[its.part], words, its.number, kept, tables);
      if (at < exited && at & refused) [[unlikely]] {
        refusals.fetch_add(1, std::memory_order_relaxed);
        return at & ~refused;
      }
      if (parts.size() == 1 || (leader = leaderBehind(its.part, at, words, kept)) == none)
        return at;
    }
  }
  /// Compiled code has nothing before it that a sanitizer could look at.
  [[clang::no_sanitize("function")]] u32 run(WarpWords &words, Group &group, Kept &kept,
                                             Tables &tables) const {
    return reinterpret_cast<GroupEntry>(parts.front()->entry())(
        &words, words.frame, &group, &kept, tables.counters.data(), tables.windows.data());
  }
  /// There is code of the CTA's own turns from that leader on.
  bool hasTurns(u32 leader) const { return placeOfLeader[leader].beginsTurns; }
  [[clang::no_sanitize("function")]] u32 run(OwnTurns &turns, u32 leader, Kept &kept, Tables &tables) const {
    const Place &its = placeOfLeader[leader];
    const u32 done = reinterpret_cast<TurnsEntry>(parts[its.part]->turns())(
        &turns, its.number, &kept, tables.counters.data(), tables.windows.data());
    if (turns.at < exited && turns.at & refused) [[unlikely]] {
      refusals.fetch_add(1, std::memory_order_relaxed);
      turns.at &= ~refused;
    }
    return done;
  }
  /// What ends a warp has written nothing back. Else parts before the last one have.
  bool isOnePart() const { return parts.size() == 1; }
  /// How often it could not be entered.
  u32 timesRefused() const { return refusals.load(std::memory_order_relaxed); }
  Tables tables() const {
    return {std::vector<u64>(thePlan.counters), std::vector<Windows>(thePlan.windows)};
  }
  /// The operation at that index in the program, by its number here.
  size_t numberOf(u32 index) const;
  /// The program has the operations that it was made of.
  bool isOf(const Program &program) const;
  /// The launch's operations still do what was compiled.
  bool isMadeOf(const LaunchCode &launched) const;

private:
  /// Machine code of one of the plan's parts.
  using Part = LinkedCode;
  struct Place {
    u16 shape, part;
    u32 number; ///< among the part's leaders
    bool beginsTurns;
  };
  [[clang::no_sanitize("function")]] static u32 enter(const Part &part, WarpWords &words, u32 number,
                                                      Kept &kept, Tables &tables) {
    return reinterpret_cast<Entry>(part.entry())(&words, words.frame, number, &kept, tables.counters.data(),
                                                 tables.windows.data());
  }
  u32 leaderBehind(u16 part, u32 at, const WarpWords &words, const Kept &kept) const;

  CompiledKernel(RegionPlan plan, const char *width)
      : width(width), parts(plan.partCount()), thePlan(std::move(plan)) {
    findLeaders();
  }
  void findLeaders();
  static llvm::Expected<std::shared_ptr<const Part>> make(const Region &region, MakesImage makeImage);

  const char *width; ///< the engine's name
  std::vector<std::shared_ptr<const Part>> parts;
  std::vector<u32> leaders;
  std::vector<Place> placeOfLeader;
  std::unique_ptr<std::atomic<bool>[]> soonLeft; ///< by leader
  std::unique_ptr<std::atomic<u64>[]> bases;     ///< by window; 0: it has been nowhere
  RegionPlan thePlan;
  std::optional<RegionPlan::Guess> theKeptGuess;
  mutable std::atomic<u32> refusals = 0;
  mutable std::mutex laterMutex;
  mutable std::shared_ptr<const CompiledKernel> madeLater;
};

} // namespace leno::compiled
