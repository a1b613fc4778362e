#include "test/bench/SpeedRuns.h"
#include "test/bench/Bench.h"

#include "asm/LoadProgram.h"
#include "emu/GridRun.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <cstring>
#include <fstream>

using namespace llvm;

namespace leno::bench {

LoadedSpeedKernel::LoadedSpeedKernel(const SpeedKernel &kernel, u32 size, Executable executable)
    : theKernel(kernel), size(size), executable(std::move(executable)), theWork(kernel.work(size)),
      result(expectedResult(kernel, size, theWork)) {}

Expected<std::unique_ptr<LoadedSpeedKernel>> LoadedSpeedKernel::create(const SpeedKernel &kernel, u32 size) {
  double start = processorTime();
  Expected<Executable> executable = loadProgramText(kernel.source, kernel.name + ".s", {}, errs());
  if (!executable)
    return executable.takeError();
  double assembled = processorTime() - start;
  std::unique_ptr<LoadedSpeedKernel> loaded(new LoadedSpeedKernel(kernel, size, std::move(*executable)));
  start = processorTime();
  loaded->program(*availableEngines().back());
  loaded->startupSeconds = assembled + (processorTime() - start);
  return loaded;
}

const Program &LoadedSpeedKernel::program(const Engine &engine) {
  for (auto &[known, program] : programs)
    if (known == &engine)
      return *program;
  programs.emplace_back(&engine, std::make_unique<Program>(predecode(executable.code(), engine)));
  return *programs.back().second;
}

static LaunchSpec specOf(const KernelInfo &info, const SpeedLaunch &launch, ArrayRef<u64> addresses) {
  LaunchSpec spec;
  spec.kernel = info.name;
  spec.entry = info.entry;
  spec.grid = {launch.gridX, launch.gridY, 1};
  spec.block = {launch.blockX, launch.blockY, 1};
  spec.sharedBytes = info.sharedBytes;
  spec.localBytes = info.localBytes;
  spec.registers = info.registers;
  for (unsigned buffer : launch.buffers) {
    auto *bytes = reinterpret_cast<const uint8_t *>(&addresses[buffer]);
    spec.parameters.insert(spec.parameters.end(), bytes, bytes + 8);
  }
  auto *bytes = reinterpret_cast<const uint8_t *>(launch.scalars.data());
  spec.parameters.insert(spec.parameters.end(), bytes, bytes + 4 * launch.scalars.size());
  return spec;
}

/// One launch, on one thread or several.
Error LoadedSpeedKernel::launch(Device &device, const Program &code, const LaunchSpec &spec,
                                ArrayRef<Observer *> observers, unsigned threads, SpeedRun &sum) {
  double start = processorTime(), wallStart = now();
  std::optional<Trap> fault;
  bool isFinished = false;
  if (threads == 1) {
    Expected<std::unique_ptr<GridRun>> grid = GridRun::create(device, code, spec);
    if (!grid)
      return grid.takeError();
    for (Observer *observer : observers)
      (*grid)->addObserver(*observer);
    isFinished = (*grid)->run().reason == StopReason::Finished;
    sum.instructions += (*grid)->instructions();
    fault = (*grid)->trap();
    grid->reset();
  } else {
    Expected<std::unique_ptr<ParallelRun>> grid = ParallelRun::create(device, code, spec, threads);
    if (!grid)
      return grid.takeError();
    isFinished = (*grid)->run() == StopReason::Finished;
    sum.instructions += (*grid)->instructions();
    fault = (*grid)->trap();
    grid->reset();
  }
  sum.seconds += processorTime() - start;
  sum.wallSeconds += now() - wallStart;
  if (isFinished)
    return Error::success();
  return createStringError("speed: " + theKernel.name +
                           " did not finish: " + (fault ? fault->str() : std::string("it stopped")));
}

Expected<SpeedRun> LoadedSpeedKernel::run(const Engine &engine, const MachineConfig &config,
                                          ArrayRef<Observer *> observers, unsigned threads) {
  Device device(config, engine);
  std::vector<u64> addresses(theWork.buffers.size());
  for (auto [words, address] : zip(theWork.buffers, addresses)) {
    if (Error error = device.memory().allocate(words.size() * 4, "buffer").moveInto(address))
      return std::move(error);
    if (Error error = device.memory().write(
            address, {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4}))
      return std::move(error);
  }
  const Program &code = program(engine);
  SpeedRun sum;
  for (const SpeedLaunch &part : theWork.launches)
    if (Error error = launch(device, code, specOf(executable.kernels().front(), part, addresses), observers,
                             threads, sum))
      return std::move(error);
  Words got(result.size());
  if (Error error = device.memory().read(addresses[theWork.result],
                                         {reinterpret_cast<uint8_t *>(got.data()), got.size() * 4}))
    return std::move(error);
  if (std::string wrong = difference(theWork, result, got); !wrong.empty())
    return createStringError("speed: " + theKernel.name + " with " + engine.name + ": " + wrong);
  return sum;
}

Expected<SpeedRun> LoadedSpeedKernel::best(const Engine &engine, double seconds) {
  std::optional<SpeedRun> best;
  double end = now() + seconds;
  for (int runs = 0; runs < 3 || now() < end; ++runs) {
    Expected<SpeedRun> run = this->run(engine);
    if (!run)
      return run.takeError();
    if (!best || run->seconds < best->seconds)
      best = *run;
  }
  return *best;
}

/// The median of second(), divided by first(), by turns: neither has always the warm caches.
template <class First, class Second>
static Expected<double> medianRatio(double seconds, First first, Second second) {
  std::vector<double> ratios;
  double end = now() + seconds;
  while (ratios.size() < 3 || now() < end) {
    double times[2];
    for (unsigned i : {0u, 1u}) {
      unsigned which = ratios.size() % 2 ? 1 - i : i;
      Expected<double> time = which ? second() : first();
      if (!time)
        return time;
      times[which] = *time;
    }
    ratios.push_back(times[1] / times[0]);
  }
  std::nth_element(ratios.begin(), ratios.begin() + long(ratios.size() / 2), ratios.end());
  return ratios[ratios.size() / 2];
}

Expected<double> LoadedSpeedKernel::slowdown(const Engine &engine, const MachineConfig &config,
                                             ArrayRef<Observer *> observers, double seconds) {
  auto timeOf = [](Expected<SpeedRun> run) -> Expected<double> {
    if (!run)
      return run.takeError();
    return run->seconds;
  };
  return medianRatio(
      seconds, [&] { return timeOf(run(engine)); }, [&] { return timeOf(run(engine, config, observers)); });
}

Expected<double> LoadedSpeedKernel::speedup(const Engine &engine, unsigned threads, double seconds) {
  auto timeOf = [](Expected<SpeedRun> run) -> Expected<double> {
    if (!run)
      return run.takeError();
    return run->wallSeconds;
  };
  return medianRatio(
      seconds, [&] { return timeOf(run(engine, {}, {}, threads)); }, [&] { return timeOf(run(engine)); });
}

double LoadedSpeedKernel::nativeSeconds(double seconds) const {
  double best = 1e9, end = now() + seconds;
  for (int runs = 0; runs < 3 || now() < end; ++runs) {
    std::vector<Words> buffers = theWork.buffers;
    double start = processorTime();
    theKernel.native(size, buffers);
    best = std::min(best, processorTime() - start);
  }
  return best;
}

u64 peakMemory() {
  u64 kib = 0;
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmHWM:"))
      kib = std::stoull(line.substr(6));
  std::ofstream("/proc/self/clear_refs") << "5";
  return kib * 1024;
}

} // namespace leno::bench
