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
  times->add_option("--model", options.model)->check(CLI::IsMember({"stack", "l2", "constants", "cycles"}));
}

static MachineConfig machineWith(StringRef model) {
  MachineConfig config;
  if (model == "stack")
    config.stack.model = MachineConfig::Stack::Cache;
  else if (model == "l2")
    config.l2.model = MachineConfig::L2::Slices;
  else if (model == "constants")
    config.constants.model = MachineConfig::Constants::Caches;
  else if (model == "cycles")
    config.timing.model = MachineConfig::Timing::Cycles;
  return config;
}

/// The eight kernels, or those asked for, loops among them.
Error runTimes(const SpeedOptions &options) {
  json::Object times;
  MachineConfig config = machineWith(options.model);
  for (const SpeedKernel &kernel : concat<const SpeedKernel>(speedKernels(), speedLoops())) {
    bool isOfEight = &kernel >= &speedKernels().front() && &kernel <= &speedKernels().back();
    if (options.kernels.empty() ? !isOfEight : !is_contained(options.kernels, kernel.name))
      continue;
    auto loaded = LoadedSpeedKernel::create(kernel, options.quick ? kernel.quickSize : kernel.size);
    if (!loaded)
      return loaded.takeError();
    Expected<SpeedRun> best = (*loaded)->best(*availableEngines().back(), options.seconds, config);
    if (!best)
      return best.takeError();
    times[kernel.name] = best->seconds;
  }
  return writeJson("-", std::move(times));
}

} // namespace leno::bench
