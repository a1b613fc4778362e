// What SpeedBeside.cpp runs by turns, of one build and another. Nothing here needs more than the emulator.
#include "test/bench/Bench.h"
#include "test/bench/SpeedRuns.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace leno::bench {

void addTimes(CLI::App &app, SpeedOptions &options) {
  CLI::App *times =
      app.add_subcommand("times", "Each kernel's processor time with the widest engine, as JSON");
  times->group(""); // not shown
  times->add_flag("--quick", options.quick);
  times->add_option("--seconds", options.seconds);
  times->add_option("--kernel", options.kernels);
}

Error runTimes(const SpeedOptions &options) {
  json::Object times;
  for (const SpeedKernel &kernel : speedKernels()) {
    if (!options.kernels.empty() && !is_contained(options.kernels, kernel.name))
      continue;
    auto loaded = LoadedSpeedKernel::create(kernel, options.quick ? kernel.quickSize : kernel.size);
    if (!loaded)
      return loaded.takeError();
    Expected<SpeedRun> best = (*loaded)->best(*availableEngines().back(), options.seconds);
    if (!best)
      return best.takeError();
    times[kernel.name] = best->seconds;
  }
  return writeJson("-", std::move(times));
}

} // namespace leno::bench
