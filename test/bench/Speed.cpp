//===- Speed.cpp - leno-bench speed ---------------------------------------===//
// One warp on one host core, so that what is timed is the execution core. A
// result that differs from the reference ends the benchmark: a fast wrong
// engine has no speed.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/SpeedKernels.h"

#include "asm/LoadProgram.h"
#include "asm/Tool.h"
#include "emu/GridRun.h"
#include "emu/Predecoder.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno::bench {
namespace {

struct Measurement {
  double seconds;
  u64 instructions;
  double rate() const { return double(instructions) / seconds; }
};

Error checkResults(Device &device, u64 out, const SpeedKernel &kernel, u32 turns) {
  std::vector<uint8_t> bytes(laneCount * 4);
  if (Error error = device.memory().read(out, bytes))
    return error;
  for (u32 lane = 0; lane < laneCount; ++lane) {
    u32 got, wanted = kernel.reference(lane, turns);
    std::memcpy(&got, &bytes[lane * 4], 4);
    if (got != wanted)
      return createStringError("speed/" + kernel.name + " with " + device.engine().name + ": lane " +
                               Twine(lane) + " computed " + Twine(got) + " instead of " + Twine(wanted));
  }
  return Error::success();
}

Expected<Measurement> runOnce(const SpeedKernel &kernel, const Executable &executable, const Engine &engine,
                              u32 turns) {
  Device device(MachineConfig(), engine);
  Program program = predecode(executable.code(), engine);
  Expected<u64> out = device.memory().allocate(laneCount * 4, "out");
  if (!out)
    return out.takeError();
  const KernelInfo &info = executable.kernels().front();
  LaunchSpec spec;
  spec.kernel = info.name;
  spec.entry = info.entry;
  spec.grid = {1, 1, 1};
  spec.block = {laneCount, 1, 1};
  spec.sharedBytes = info.sharedBytes;
  spec.localBytes = info.localBytes;
  spec.registers = info.registers;
  spec.parameters.resize(16);
  std::memcpy(&spec.parameters[0], &turns, 4);
  std::memcpy(&spec.parameters[8], &*out, 8);
  Expected<std::unique_ptr<GridRun>> grid = GridRun::create(device, program, spec);
  if (!grid)
    return grid.takeError();
  double start = now();
  Stop stop = (*grid)->run();
  double seconds = now() - start;
  if (stop.reason != StopReason::Finished)
    return createStringError("speed/" + kernel.name + ": the kernel did not finish");
  if (Error error = checkResults(device, *out, kernel, turns))
    return std::move(error);
  return Measurement{seconds, (*grid)->instructions()};
}

/// Turns for about the time asked, then the best of three: noise only ever slows.
Expected<Measurement> measure(const SpeedKernel &kernel, const Executable &executable, const Engine &engine,
                              double seconds) {
  u32 turns = 1000;
  Expected<Measurement> trial = runOnce(kernel, executable, engine, turns);
  if (!trial)
    return trial;
  turns = u32(std::clamp(seconds / 3 / std::max(trial->seconds, 1e-6) * turns, 1.0, 4e7));
  Expected<Measurement> best = runOnce(kernel, executable, engine, turns);
  for (int i = 0; best && i < 2; ++i) {
    Expected<Measurement> again = runOnce(kernel, executable, engine, turns);
    if (!again)
      return again;
    if (again->rate() > best->rate())
      best = std::move(again);
  }
  return best;
}

} // namespace

void addSpeed(CLI::App &app, SpeedOptions &options) {
  CLI::App *speed =
      app.add_subcommand("speed", "The execution core's speed on one host core, for each vector width");
  speed->add_option("--engine", options.engine, "Only this engine: sse2, avx2 or avx512");
  speed->add_option("--seconds", options.seconds, "Time for each measurement (default 0.5)")
      ->check(CLI::Range(0.001, 3600.0));
  speed
      ->add_option("--json", options.json,
                   "Write the figures as JSON too; - is standard output, without the table")
      ->type_name("FILE");
}

Error runSpeed(const SpeedOptions &options) {
  std::vector<const Engine *> engines(availableEngines().begin(), availableEngines().end());
  if (!options.engine.empty()) {
    Expected<const Engine *> engine = findEngine(options.engine);
    if (!engine)
      return engine.takeError();
    engines = {*engine};
  }
  Table table({"kernel", "engine", "bits", "M warp instr/s", "G lane op/s"});
  json::Array rows;
  for (const SpeedKernel &kernel : speedKernels()) {
    Expected<Executable> executable = loadProgramText(kernel.source, "<" + kernel.name + ">", {}, errs());
    if (!executable)
      return executable.takeError();
    for (const Engine *engine : engines) {
      Expected<Measurement> result = measure(kernel, *executable, *engine, options.seconds);
      if (!result)
        return result.takeError();
      table.add({kernel.name, engine->name, std::to_string(engine->vectorBits),
                 fixed(result->rate() / 1e6, 1), fixed(result->rate() * laneCount / 1e9, 2)});
      rows.push_back(json::Object{{"kernel", kernel.name},
                                  {"engine", engine->name},
                                  {"vector_bits", engine->vectorBits},
                                  {"instructions_per_turn", kernel.instructionsPerTurn},
                                  {"warp_instructions", int64_t(result->instructions)},
                                  {"seconds", result->seconds},
                                  {"warp_instructions_per_second", result->rate()}});
    }
  }
  if (options.json != "-") {
    outs() << "host: " << hostName() << ", one core; the best of three runs\n\n";
    table.print(outs());
    outs() << '\n';
    for (const SpeedKernel &kernel : speedKernels())
      outs() << kernel.name << ": " << kernel.what << '\n';
  }
  if (options.json.empty())
    return Error::success();
  std::string text;
  raw_string_ostream(text) << formatv(
      "{0:2}\n",
      json::Value(json::Object{{"benchmark", "speed"}, {"host", hostName()}, {"rows", std::move(rows)}}));
  return writeWhole(options.json, text);
}

} // namespace leno::bench
