#include "test/bench/SpeedRuns.h"

#include "asm/LoadProgram.h"
#include "emu/Machine.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <fstream>
#include <thread>

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
    Expected<std::unique_ptr<Machine>> machine = Machine::create(device, code, spec);
    if (!machine)
      return machine.takeError();
    for (Observer *observer : observers)
      (*machine)->addObserver(*observer);
    (*machine)->setRunsAhead(true);
    isFinished = (*machine)->run().reason == StopReason::Finished;
    sum.instructions += (*machine)->grid()->instructions();
    fault = (*machine)->grid()->trap();
    machine->reset();
  } else {
    Expected<std::unique_ptr<ParallelRun>> grid = ParallelRun::create(device, code, spec, threads);
    if (!grid)
      return grid.takeError();
    isFinished = (*grid)->run() == StopReason::Finished;
    sum.instructions += (*grid)->instructions();
    sum.busiestSeconds += (*grid)->busiestSeconds();
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

Expected<SpeedRun> LoadedSpeedKernel::best(const Engine &engine, double seconds,
                                           const MachineConfig &config) {
  std::optional<SpeedRun> best;
  double end = now() + seconds;
  for (int runs = 0; runs < 3 || now() < end; ++runs) {
    Expected<SpeedRun> run = this->run(engine, config);
    if (!run)
      return run.takeError();
    if (!best || run->seconds < best->seconds)
      best = *run;
  }
  return *best;
}

double medianOf(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + long(values.size() / 2), values.end());
  return values[values.size() / 2];
}

/// Runs two ways by turns, neither always with the warm caches, and hands each pair to `take`.
template <class First, class Second, class Take>
static Error byTurns(double seconds, First first, Second second, Take take) {
  double end = now() + seconds;
  for (unsigned turn = 0; turn < 3 || now() < end; ++turn) {
    SpeedRun runs[2];
    for (unsigned i : {0u, 1u}) {
      unsigned which = turn % 2 ? 1 - i : i;
      if (Error error = (which ? second() : first()).moveInto(runs[which]))
        return error;
    }
    take(runs[0], runs[1]);
  }
  return Error::success();
}

Expected<double> LoadedSpeedKernel::slowdown(const Engine &engine, const MachineConfig &config,
                                             ArrayRef<Observer *> observers, double seconds) {
  std::vector<double> ratios;
  auto take = [&](const SpeedRun &plain, const SpeedRun &other) {
    ratios.push_back(other.seconds / plain.seconds);
  };
  if (Error error =
          byTurns(seconds, [&] { return run(engine); }, [&] { return run(engine, config, observers); }, take))
    return std::move(error);
  return medianOf(std::move(ratios));
}

/// Seconds that arithmetic in registers takes on so many threads, which share it as they come: about 3 ms of
/// one core. Nothing but the host's cores and the start of its threads keeps them from an ideal gain.
static double hostSeconds(unsigned threads) {
  constexpr unsigned pieces = 128, rounds = 6000, lanes = 16;
  std::atomic<unsigned> next = 0, sum = 0;
  auto work = [&] {
    for (unsigned piece; (piece = next++) < pieces;) {
      u32 values[lanes];
      for (u32 &value : values)
        value = piece + u32(&value - values);
      for (unsigned round = 0; round < rounds; ++round)
        for (u32 &value : values) {
          value ^= value >> 15;
          value += (value << 7) + round;
        }
      sum += *std::max_element(values, std::end(values));
    }
  };
  double start = now();
  std::vector<std::thread> others;
  for (unsigned i = 1; i < threads; ++i)
    others.emplace_back(work);
  work();
  for (std::thread &thread : others)
    thread.join();
  return now() - start;
}

Expected<Speedup> LoadedSpeedKernel::speedup(const Engine &engine, unsigned threads, double seconds) {
  std::vector<double> byClock, byBusiest, host;
  auto take = [&](const SpeedRun &one, const SpeedRun &several) {
    byClock.push_back(one.wallSeconds / several.wallSeconds);
    byBusiest.push_back(one.seconds / several.busiestSeconds);
    host.push_back(hostSeconds(1) / hostSeconds(threads));
  };
  if (Error error =
          byTurns(seconds, [&] { return run(engine); }, [&] { return run(engine, {}, {}, threads); }, take))
    return std::move(error);
  return Speedup{medianOf(std::move(byClock)), medianOf(std::move(byBusiest)), medianOf(std::move(host))};
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
