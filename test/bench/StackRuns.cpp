#include "test/bench/StackRuns.h"
#include "test/bench/Bench.h"

#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace leno::bench {

LoadedStackKernel::LoadedStackKernel(const StackKernel &kernel, Executable executable, const Engine &engine,
                                     uint32_t size)
    : theKernel(kernel), executable(std::move(executable)), engine(engine),
      program(predecode(this->executable.code(), engine)), size(size) {}

Expected<std::unique_ptr<LoadedStackKernel>> LoadedStackKernel::create(const StackKernel &kernel,
                                                                       bool quick) {
  Expected<const Engine *> engine = chooseEngine();
  if (!engine)
    return engine.takeError();
  Expected<Executable> executable =
      loadProgramText(stackKernelSource(kernel.name), kernel.name + ".s", {}, errs());
  if (!executable)
    return executable.takeError();
  return std::unique_ptr<LoadedStackKernel>(new LoadedStackKernel(kernel, std::move(*executable), **engine,
                                                                  quick ? kernel.quickSize : kernel.size));
}

const LoadedStackKernel::Expectation &LoadedStackKernel::expectationOf(u32 threads) {
  auto [place, isNew] = expectations.try_emplace(threads);
  if (isNew) {
    place->second.data = theKernel.data(size, threads);
    place->second.results = theKernel.reference(size, threads, place->second.data);
  }
  return place->second;
}

static ArrayRef<uint8_t> bytesOf(const std::vector<uint32_t> &words) {
  return {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4};
}

Expected<StackRun> LoadedStackKernel::run(const MachineConfig &config, u64 warps) {
  u32 threads = u32(warps) * laneCount;
  const Expectation &expected = expectationOf(threads);
  Device device(config, engine);
  u64 data, scratch, out;
  if (Error error = device.memory().allocate(expected.data.size() * 4, "data").moveInto(data))
    return std::move(error);
  if (Error error =
          device.memory().allocate(u64(theKernel.scratchBytes) * threads, "scratch").moveInto(scratch))
    return std::move(error);
  if (Error error = device.memory().allocate(u64(threads) * 4, "out").moveInto(out))
    return std::move(error);
  if (Error error = device.memory().write(data, bytesOf(expected.data)))
    return std::move(error);
  const KernelInfo &info = executable.kernels().front();
  LaunchSpec spec;
  spec.kernel = info.name;
  spec.entry = info.entry;
  spec.block = {threads, 1, 1};
  spec.registers = info.registers;
  u64 buffers[] = {data, scratch, out};
  spec.parameters.resize(8 + sizeof(buffers));
  std::memcpy(&spec.parameters[0], &size, 4);
  std::memcpy(&spec.parameters[4], &theKernel.scratchBytes, 4);
  std::memcpy(&spec.parameters[8], buffers, sizeof(buffers));
  std::unique_ptr<Machine> machine;
  if (Error error = Machine::create(device, program, spec).moveInto(machine))
    return std::move(error);
  double start = now();
  machine->run();
  double seconds = now() - start;
  const GridRun &grid = *machine->grid();
  if (grid.trap())
    return createStringError(theKernel.name + ": " + grid.trap()->str());
  std::vector<uint8_t> bytes(size_t(threads) * 4);
  if (Error error = device.memory().read(out, bytes))
    return std::move(error);
  for (u32 thread = 0; thread < threads; ++thread) {
    u32 got;
    std::memcpy(&got, &bytes[size_t(thread) * 4], 4);
    if (got != expected.results[thread])
      return createStringError(theKernel.name + ": thread " + Twine(thread) + " computed " + Twine(got) +
                               " instead of " + Twine(expected.results[thread]));
  }
  return StackRun{grid.cycleCounts().value_or(CycleCounts()), grid.stackCounters(), grid.stackBitsOnChip(),
                  grid.instructions(), seconds};
}

Expected<SpeedPair> LoadedStackKernel::compare(const MachineConfig &first, const MachineConfig &second,
                                               u64 warps, double seconds) {
  std::vector<double> ratios;
  SpeedPair result{};
  double end = now() + seconds;
  while (ratios.size() < 5 || now() < end) {
    double rates[2];
    bool swapped = ratios.size() % 2; // neither has always the warm caches
    for (unsigned i : {0u, 1u}) {
      unsigned which = swapped ? 1 - i : i;
      Expected<StackRun> run = this->run(which ? second : first, warps);
      if (!run)
        return run.takeError();
      rates[which] = double(run->instructions) / run->seconds;
    }
    result.first = std::max(result.first, rates[0]);
    result.second = std::max(result.second, rates[1]);
    ratios.push_back(rates[1] / rates[0]);
  }
  std::nth_element(ratios.begin(), ratios.begin() + long(ratios.size() / 2), ratios.end());
  result.ratio = ratios[ratios.size() / 2];
  return result;
}

} // namespace leno::bench
