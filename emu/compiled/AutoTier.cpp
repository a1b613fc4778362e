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
    : kernel(std::move(hot)), compiled(grid, code, *kernel) {
  if (kernel->isHot())
    look();
}

AutoTier::~AutoTier() {
  if (!isMeasured)
    kernel->interpreted(isCompiled ? 0 : instructions);
}

/// What the turns since the last look have told, and which tier the next ones have.
void AutoTier::look() {
  if (isMeasured)
    kernel->measured(compiled.watching(), isCompiled, instructions, time);
  else if (!isCompiled)
    kernel->interpreted(instructions);
  turns = 0;
  instructions = time = 0;
  if (!kernel->isHot())
    return;
  compiled.prepare(); // where there is no compiler, all is interpreted
  if (compiled.timesMade() != made) {
    if (made)
      kernel->measureAnew(compiled.watching());
    made = compiled.timesMade();
  }
  const HotKernel::Verdict verdict = kernel->verdict(compiled.watching());
  isMeasured = made && verdict == HotKernel::Verdict::Unknown;
  isCompiled = made && (isMeasured ? !isCompiled : verdict == HotKernel::Verdict::Compiled);
}

Tier::Ran AutoTier::measure(Warp &warp, u64 budget) {
  const u64 before = now();
  Ran ran = isCompiled ? compiled.run(warp, budget) : interpreter.run(warp, budget);
  time += now() - before;
  return ran;
}

Tier::Ran AutoTier::run(Warp &warp, u64 budget) {
  if (++turns >= turnsOfStretch)
    look();
  Ran ran = isMeasured   ? measure(warp, budget)
            : isCompiled ? compiled.run(warp, budget)
                         : interpreter.run(warp, budget);
  instructions += ran.instructions + warp.past;
  return ran;
}
