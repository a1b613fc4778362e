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
  // Where compiled code has been found to be faster, it begins warps, too.
  Whole runWhole(Warp &warp, u64 budget) override {
    return isChosen() ? compiled->runWhole(warp, budget) : Whole{0, false};
  }
  void giveCounts(OperationCounts &to) override {
    if (compiled)
      compiled->giveCounts(to);
  }
  bool runsGroups() override { return isChosen() && compiled->runsGroups(); }
  Grouped runGroup(Warp &warp, compiled::Group &group) override { return compiled->runGroup(warp, group); }
  u64 moveLeft(Warp &from, Warp &to) override { return compiled->moveLeft(from, to); }
  bool runsPhases() override { return isChosen() && compiled->runsPhases(); }
  Phase runPhase(Warp &place, compiled::WarpWords &words, size_t from, u64 budget) override {
    return compiled->runPhase(place, words, from, budget);
  }
  const OwnPhases *ownPhases(size_t from) override { return compiled->ownPhases(from); }
  std::optional<OwnTurns> runOwnPhase(Warp &place, size_t from, llvm::ArrayRef<OwnTurn *> turns, u64 turn,
                                      u64 ofFirst) override {
    return compiled->runOwnPhase(place, from, turns, turn, ofFirst);
  }
  Phase goOn(Warp &warp, u64 budget) override { return compiled->goOn(warp, budget); }
  Phase resume(Warp &warp, u64 budget) override { return compiled->resume(warp, budget); }

private:
  bool isChosen() const { return choice.isCompiled && !choice.isMeasured; }
  void tell();
  void look();
  Ran measure(Warp &warp, u64 budget);

  /// Turns from one look to the next, and of a stretch that is measured.
  static constexpr unsigned turnsOfStretch = 128;

  GridRun &grid;
  const LaunchCode &code;
  std::shared_ptr<compiled::HotKernel> kernel;
  Interpreter interpreter;
  std::unique_ptr<CompiledTier> compiled; ///< once it may be worth its while
  compiled::HotKernel::Choice choice;     ///< now
  unsigned turns = 0;                     ///< since the last look
  u64 instructions = 0, time = 0;         ///< and what they took
};

} // namespace leno
