#include "test/bench/ContextRuns.h"

#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"

#include <algorithm>
#include <cstring>

using namespace llvm;

namespace leno::bench {
namespace {

const char *const kernel = "        .kernel walk\n"
                           "        .param  u32 steps\n"
                           "        .param  ptr out\n"
                           "        S2R     R0, SR_TID.X\n"
                           "        S2R     R1, SR_CTAID.X\n"
                           "        S2R     R2, SR_NTID.X\n"
                           "        IMAD    R0, R1, R2, R0\n"
                           "        MOV     R3, R0\n"
                           "        MOV     R1, c[0][steps]\n"
                           "        MOV32I  R2, 1013904223\n"
                           "        MOV32I  R4, 1664525\n"
                           "step:   IMAD    R3, R3, R4, R2\n"
                           "        IADD    R1, R1, -1\n"
                           "        ISETP.ne P0, R1, RZ\n"
                           "        @P0 BRA step\n"
                           "        SHL     R0, R0, 2\n"
                           "        IADD    R0, R0, c[0][out]\n"
                           "        STG     [R0], R3\n"
                           "        EXIT\n"
                           "        .endkernel\n";

u32 walked(u32 thread, u32 steps) {
  u32 value = thread;
  for (u32 i = 0; i < steps; ++i)
    value = value * 1664525 + 1013904223;
  return value;
}

} // namespace

ContextRuns::ContextRuns(Executable executable, const Engine &engine)
    : executable(std::move(executable)), engine(engine), program(predecode(this->executable.code(), engine)) {
}

Expected<std::unique_ptr<ContextRuns>> ContextRuns::create() {
  Expected<const Engine *> engine = chooseEngine();
  if (!engine)
    return engine.takeError();
  Expected<Executable> executable = loadProgramText(kernel, "walk.s", {}, errs());
  if (!executable)
    return executable.takeError();
  return std::unique_ptr<ContextRuns>(new ContextRuns(std::move(*executable), **engine));
}

u64 ContextRuns::fullState(const MachineConfig &config, u32 warps, unsigned registers) {
  u64 resident = occupancyOf(config.sm, {warps, 0, u64(warps) * laneCount * registers}).warps;
  // 7 predicates, 4 condition codes, the mask, the PC and 4 masks of lanes that wait.
  return resident * (registers * rowBytes + (7 + 4 + 1 + 1 + 4) * sizeof(LaneMask));
}

Expected<ContextsOutcome> ContextRuns::run(const MachineConfig &config, ArrayRef<ContextJob> jobs) const {
  if (Error error = config.check())
    return std::move(error);
  Machine device(config, engine);
  const KernelInfo &info = executable.kernels().front();
  std::vector<Context *> contexts(jobs.size());
  std::vector<u64> outs(jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    const ContextJob &job = jobs[i];
    ContextSpec spec{.name = job.name, .priority = job.priority, .sms = job.sms};
    if (Error error = device.createContext(spec).moveInto(contexts[i]))
      return std::move(error);
    u64 words = u64(job.launches) * job.ctas * job.warps * laneCount;
    if (Error error = contexts[i]->memory().allocate(words * 4, "out").moveInto(outs[i]))
      return std::move(error);
  }
  std::vector<size_t> order(jobs.size());
  for (size_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return jobs[a].arrival < jobs[b].arrival; });
  for (size_t i : order) {
    const ContextJob &job = jobs[i];
    device.runUntil(job.arrival);
    for (u32 k = 0; k < job.launches; ++k) {
      Launch launch{&program, {}, {}, {}};
      launch.spec.kernel = info.name;
      launch.spec.entry = info.entry;
      launch.spec.registers = info.registers;
      launch.spec.grid = {job.ctas};
      launch.spec.block = {job.warps * laneCount};
      u64 out = outs[i] + u64(k) * job.ctas * job.warps * laneCount * 4;
      launch.spec.parameters.resize(16);
      std::memcpy(&launch.spec.parameters[0], &job.steps, 4);
      std::memcpy(&launch.spec.parameters[8], &out, 8);
      if (Error error = device.submit(*contexts[i], std::move(launch)))
        return std::move(error);
    }
  }
  device.run();
  ContextsOutcome outcome;
  outcome.cycles = device.cycle();
  outcome.frontEndSwitches = device.frontEnd().switches();
  for (size_t i = 0; i < jobs.size(); ++i) {
    Context &context = *contexts[i];
    if (!context.alive())
      return createStringError(jobs[i].name + ": " + context.whyEnded());
    u64 perGrid = u64(jobs[i].ctas) * jobs[i].warps * laneCount;
    std::vector<u32> got(perGrid * jobs[i].launches);
    if (Error error =
            context.memory().read(outs[i], {reinterpret_cast<uint8_t *>(got.data()), got.size() * 4}))
      return std::move(error);
    for (size_t k = 0; k < got.size(); ++k)
      if (u32 expected = walked(u32(k % perGrid), jobs[i].steps); got[k] != expected)
        return createStringError(jobs[i].name + ": thread " + Twine(k) + " computed " + Twine(got[k]) +
                                 " instead of " + Twine(expected));
    outcome.contexts.push_back({jobs[i].name, jobs[i].arrival, *context.launches().front().started,
                                *context.launches().back().ended, context.counts()});
  }
  return outcome;
}

} // namespace leno::bench
