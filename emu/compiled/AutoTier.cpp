#include "emu/compiled/AutoTier.h"
#include "emu/launch/GridRun.h"

using namespace leno;
using compiled::HotKernel;

/// The host's time stamps: only differences are compared.
u64 AutoTier::now() {
#ifdef __x86_64__
  return __builtin_ia32_rdtsc();
#else
  return 0; // nothing is compiled
#endif
}

AutoTier::AutoTier(GridRun &grid, const LaunchCode &code, std::shared_ptr<HotKernel> hot)
    : grid(grid), code(code), kernel(std::move(hot)) {
  if (kernel->isWarm())
    look();
}

AutoTier::~AutoTier() { tell(); }

/// What the turns since the last look were.
void AutoTier::tell() {
  if (choice.isMeasured)
    kernel->measured(watched, choice, {instructions, beginning + last - first, turns});
  else
    kernel->executed(watched, choice.isCompiled, instructions);
  turns = instructions = first = last = beginning = 0;
}

/// Which tier the next turns have. What it takes to begin with code is that tier's time.
void AutoTier::look() {
  tell();
  if (!kernel->isWarm())
    return;
  watched = CompiledTier::watchedIn(grid);
  choice = kernel->choice(watched);
  if (choice.isCompiled || choice.isMeasured || compiled) { // which may ask for more code when it is hot
    const u64 before = now();
    if (!compiled)
      compiled = std::make_unique<CompiledTier>(grid, code, *kernel);
    compiled->prepare(); // where there is no compiler, all is interpreted
    if (!compiled->timesMade())
      choice = {};
    if (choice.isCompiled)
      beginning = now() - before;
  }
  grid.seekPhases();
}

Tier::Ran AutoTier::run(Warp &warp, u64 budget) {
  lookInTime();
  const Ran ran =
      measure([&] { return choice.isCompiled ? compiled->run(warp, budget) : interpreter.run(warp, budget); });
  note(ran.instructions + warp.past);
  return ran;
}

Tier::Whole AutoTier::runWhole(Warp &warp, u64 budget) {
  if (!choice.isCompiled)
    return {0, false};
  const Whole whole = measure([&] { return compiled->runWhole(warp, budget); });
  note(whole.instructions, whole.hasEnded);
  return whole;
}

bool AutoTier::runsGroups(u64 turn) {
  lookInTime();
  return choice.isCompiled && compiled->runsGroups(turn);
}

Tier::Grouped AutoTier::runGroup(Warp &warp, compiled::Group &group) {
  const u32 before = group.warp * group.count + group.cta;
  const Grouped end = measure([&] { return compiled->runGroup(warp, group); });
  u64 count = 0;
  for (size_t i = 0; i < group.count; ++i)
    count += group.ctas[i].executed;
  note(count, group.warp * group.count + group.cta - before);
  return end;
}

//===--- Phases: code is looked at before one begins ----------------------===//

Tier::Phase AutoTier::runPhase(Warp &place, compiled::WarpWords &words, size_t from, u64 budget,
                               bool isBlank) {
  lookInTime();
  const Phase phase = measure([&] { return compiled->runPhase(place, words, from, budget, isBlank); });
  note(phase.instructions);
  return phase;
}

std::optional<Tier::OwnTurns> AutoTier::runOwnPhase(Warp &place, size_t from,
                                                    llvm::ArrayRef<compiled::OwnTurn *> those, u64 turn,
                                                    u64 ofFirst) {
  const std::optional<OwnTurns> ran =
      measure([&] { return compiled->runOwnPhase(place, from, those, turn, ofFirst); });
  if (ran)
    for (const compiled::OwnTurn *each : those.take_front(ran->count))
      note(each->instructions);
  return ran;
}

Tier::Phase AutoTier::goOn(Warp &warp, u64 budget) {
  const Phase phase = measure([&] { return compiled->goOn(warp, budget); });
  note(phase.instructions, 0);
  return phase;
}

Tier::Phase AutoTier::resume(Warp &warp, u64 budget) {
  lookInTime();
  const Phase phase = measure([&] { return compiled->resume(warp, budget); });
  note(phase.instructions);
  return phase;
}
