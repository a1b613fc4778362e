#include "emu/compiled/AutoTier.h"
#include "emu/launch/GridRun.h"

using namespace leno;
using compiled::HotKernel;

/// The host's time stamps: only differences are compared.
static u64 now() {
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
    kernel->measured(compiled->watching(), choice, {instructions, time, turns});
  else if (!choice.isCompiled)
    kernel->interpreted(instructions);
  turns = 0;
  instructions = time = 0;
}

/// Which tier the next turns have. What it takes to begin with code is that tier's time.
void AutoTier::look() {
  tell();
  if (!kernel->isWarm())
    return;
  choice = kernel->choice(CompiledTier::watchedIn(grid));
  if (!choice.isCompiled && !choice.isMeasured)
    return;
  const u64 before = now();
  if (!compiled)
    compiled = std::make_unique<CompiledTier>(grid, code, *kernel);
  compiled->prepare(); // where there is no compiler, all is interpreted
  if (!compiled->timesMade())
    choice = {};
  if (choice.isCompiled)
    time = now() - before;
  if (isChosen())
    grid.seekPhases();
}

Tier::Ran AutoTier::measure(Warp &warp, u64 budget) {
  const u64 before = now();
  Ran ran = choice.isCompiled ? compiled->run(warp, budget) : interpreter.run(warp, budget);
  time += now() - before;
  return ran;
}

Tier::Ran AutoTier::run(Warp &warp, u64 budget) {
  if (turns == turnsOfStretch)
    look();
  ++turns;
  Ran ran = choice.isMeasured   ? measure(warp, budget)
            : choice.isCompiled ? compiled->run(warp, budget)
                                : interpreter.run(warp, budget);
  instructions += ran.instructions + warp.past;
  return ran;
}
