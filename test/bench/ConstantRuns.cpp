#include "test/bench/ConstantRuns.h"

#include "asm/LoadProgram.h"
#include "emu/observe/Observer.h"
#include "emu/program/Predecoder.h"
#include "test/bench/KernelSources.h"

#include <cstring>
#include <random>

using namespace llvm;

namespace leno::bench {
namespace {

constexpr u32 workingSet = 512;

/// What the kernel reads, in plain C++.
u32 sumOf(u32 number, ArrayRef<u32> constants) {
  auto next = [](u32 x) { return x * 1664525 + 1013904223; };
  u32 x = next(next(number)), sum = 0;
  for (u32 reads = 20 + (x >> 24 & 127) + (x >> 16 & 63); reads > 0; --reads) {
    x = next(x);
    sum += constants[x >> 16 & (workingSet - 1)];
  }
  return sum;
}

/// Who is active, and what commands wait for.
class Watch final : public Observer {
public:
  Watch(ConstantFigures &figures, unsigned sms) : figures(figures), sms(sms) {}
  Interests interests() const override { return Constants; }
  void constantEvent(const ConstantEvent &event) override {
    passTo(event.cycle);
    switch (event.kind) {
    case ConstantEvent::WorkGiven:
    case ConstantEvent::WorkDone:
      active += event.kind == ConstantEvent::WorkGiven ? 1u : -1u;
      break;
    case ConstantEvent::CommandWaits:
      figures.drains += wait == ConstantEvent::Wait::None && event.wait == ConstantEvent::Wait::Drain;
      wait = event.wait;
      break;
    case ConstantEvent::ConstantToL1:
    case ConstantEvent::ConstantToL2:
    case ConstantEvent::ConstantStored:
      wait = ConstantEvent::Wait::None;
      break;
    default:
      break;
    }
  }
  void passTo(u64 cycle) {
    u64 passed = cycle - std::exchange(now, cycle);
    figures.busy += active * passed;
    if (wait == ConstantEvent::Wait::None)
      return;
    figures.waits[size_t(wait)] += passed;
    figures.idleForUpdates += (sms - active) * passed;
  }

private:
  ConstantFigures &figures;
  unsigned sms, active = 0;
  u64 now = 0;
  ConstantEvent::Wait wait = ConstantEvent::Wait::None;
};

template <class Word> std::vector<uint8_t> bytesOf(ArrayRef<Word> words) {
  std::vector<uint8_t> bytes(words.size() * sizeof(Word));
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

} // namespace

ConstantRuns::ConstantRuns(Executable executable, const Engine &engine)
    : executable(std::move(executable)), engine(engine), program(predecode(this->executable.code(), engine)) {
}

Expected<std::unique_ptr<ConstantRuns>> ConstantRuns::create() {
  Expected<const Engine *> engine = chooseEngine();
  if (!engine)
    return engine.takeError();
  Expected<Executable> executable = loadProgramText(kernelSource("constants/read.s"), "read.s", {}, errs());
  if (!executable)
    return executable.takeError();
  return std::unique_ptr<ConstantRuns>(new ConstantRuns(std::move(*executable), **engine));
}

Expected<ConstantFigures> ConstantRuns::run(const ConstantLoad &load, u64 protocol, unsigned sms) const {
  MachineConfig config;
  config.sm.count = sms;
  config.sm.ctas = 1;
  config.timing.model = MachineConfig::Timing::Cycles;
  config.constants.model = MachineConfig::Constants::Caches;
  config.constants.caches.protocol = protocol;
  config.device.launchCycles = 0; // the front end takes a command in a cycle
  if (Error error = config.check())
    return std::move(error);
  Machine device(config, engine);
  Expected<Context *> made = device.createContext({.name = "constants"});
  if (!made)
    return made.takeError();
  Context &context = **made;
  ConstantFigures figures;
  figures.ctas = u64(load.launches) * load.ctas;
  Watch watch(figures, sms);
  device.addObserver(watch);
  u64 sums = 0;
  if (Error error = context.memory().allocate(figures.ctas * 4, "sums").moveInto(sums))
    return std::move(error);
  std::vector<u32> now(workingSet), expected;
  if (Error error = context.device().constants().write(1, 0, bytesOf(ArrayRef(now))))
    return std::move(error);

  // mt19937's numbers are the standard's: the same stream everywhere.
  std::mt19937 random(1);
  const KernelInfo &info = executable.kernels().front();
  for (unsigned number = 0; number < load.launches; ++number) {
    for (unsigned i = 0; i < load.wordsOfUpdate; ++i) {
      u32 word = u32(random() % workingSet);
      now[word] = u32(random());
      if (Error error = device.submit(context, ConstantUpdate{1, word * 4, bytesOf(ArrayRef(now[word]))}))
        return std::move(error);
    }
    Launch launch{&program, {}, {}, {}};
    launch.overlap = true;
    launch.spec.kernel = info.name;
    launch.spec.entry = info.entry;
    launch.spec.registers = info.registers;
    launch.spec.grid = {load.ctas};
    launch.spec.block = {laneCount};
    launch.spec.parameters.resize(16);
    u32 first = number * load.ctas;
    std::memcpy(&launch.spec.parameters[0], &first, 4);
    std::memcpy(&launch.spec.parameters[8], &sums, 8);
    if (Error error = device.submit(context, std::move(launch)))
      return std::move(error);
    for (u32 cta = 0; cta < load.ctas; ++cta)
      expected.push_back(sumOf(first + cta, now));
  }
  device.run();
  device.removeObserver(watch);
  figures.cycles = device.cycle();
  watch.passTo(figures.cycles);
  if (!context.alive())
    return createStringError("constants: " + context.whyEnded());
  std::vector<u32> got(expected.size());
  if (Error error = context.memory().read(sums, {reinterpret_cast<uint8_t *>(got.data()), got.size() * 4}))
    return std::move(error);
  if (got != expected)
    return createStringError("constants: under protocol " + Twine(protocol) + " on " + Twine(sms) +
                             " SMs a CTA read another version of the constants than stood at its launch");
  const ConstantUnit &unit = *context.constantUnit();
  for (unsigned sm = 0; sm < sms; ++sm) {
    const ConstantCounts &counts = unit.sm(sm);
    figures.hits += counts.hits;
    figures.reads += counts.reads;
    figures.copied += counts.copiedWords;
    figures.lockStalls += counts.lockStalls;
  }
  figures.backupReads = unit.backupReads();
  return figures;
}

} // namespace leno::bench
