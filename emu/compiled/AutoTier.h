//===- AutoTier.h - The faster of two tiers -------------------------------===//
// A launch begins in the interpreter. When its kernel is hot, code is made of
// it beside the launch, and when that is there, it is measured against the
// interpreter, a stretch of turns each, in as many launches as that takes. The
// faster one goes on.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledTier.h"
#include "emu/compiled/HotKernel.h"

namespace leno {

class AutoTier final : public Tier {
public:
  AutoTier(GridRun &grid, const LaunchCode &code, std::shared_ptr<compiled::HotKernel> kernel);
  ~AutoTier() override;
  Ran run(Warp &warp, u64 budget) override;
  void giveCounts(OperationCounts &to) override {
    if (compiled)
      compiled->giveCounts(to);
  }
  // Compiled code begins warps, too, and is measured at that.
  Whole runWhole(Warp &warp, u64 budget) override;
  bool runsGroups(u64 turn) override;
  Grouped runGroup(Warp &warp, compiled::Group &group) override;
  u64 moveLeft(Warp &from, Warp &to) override { return compiled->moveLeft(from, to); }
  bool runsPhases() override { return choice.isCompiled && compiled->runsPhases(); }
  Phase runPhase(Warp &place, compiled::WarpWords &words, size_t from, u64 budget, bool isBlank) override;
  const OwnPhases *ownPhases(size_t from) override { return compiled->ownPhases(from); }
  std::optional<OwnTurns> runOwnPhase(Warp &place, size_t from, llvm::ArrayRef<compiled::OwnTurn *> turns,
                                      u64 turn, u64 ofFirst) override;
  Phase goOn(Warp &warp, u64 budget) override;
  Phase resume(Warp &warp, u64 budget) override;

private:
  void tell();
  void look();
  void lookInTime() {
    if (turns >= turnsOfStretch && instructions >= instructionsOfStretch)
      look();
  }
  template <class Run> auto measure(Run run) {
    if (!choice.isMeasured)
      return run();
    if (!first)
      first = now();
    auto ran = run();
    last = now();
    return ran;
  }
  void note(u64 count, u64 ofTurns = 1) {
    instructions += count;
    turns += ofTurns;
  }
  static u64 now();

  /// From one look to the next, and of a stretch that is measured.
  static constexpr u64 turnsOfStretch = 128, instructionsOfStretch = 32'000;

  GridRun &grid;
  const LaunchCode &code;
  std::shared_ptr<compiled::HotKernel> kernel;
  Interpreter interpreter;
  std::unique_ptr<CompiledTier> compiled; ///< once it may be worth its while
  compiled::HotKernel::Choice choice;     ///< now,
  Observer::Interests watched = 0;        ///< for what is watched
  u64 turns = 0, instructions = 0;        ///< since the last look,
  u64 first = 0, last = 0;                ///< from when to when, with all that the machine does between them
  u64 beginning = 0;                      ///< and what it took to begin with code
};

} // namespace leno
