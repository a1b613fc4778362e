#include "../Effort.h"
#include "ConstantKernel.h"
#include "DeviceHarness.h"
#include "StructuredProgram.h"
#include "test/unit/emu/ClockModels.h"

// S4: who shares the machine, how, and with which caches, changes no bit of what a context leaves in its
// memory. Streams of kernels with divergence, calls, shared memory, barriers, atomics and constants, each run
// alone on a plain machine and then with others under every policy, while some of the others trap or are
// killed.
using namespace leno;
using namespace leno::test;
using Config = MachineConfig::Contexts;

namespace {

/// Counts of pseudo-random numbers, by CTA in shared memory, then of the grid by atomics that commute. Blocks
/// of 64 threads, 64 bytes of shared memory.
const char *histogram = R"(
.kernel histogram
.param ptr bins
.param u32 steps
  S2R R0, SR_TID.X;
  S2R R1, SR_CTAID.X;
  S2R R2, SR_NTID.X;
  IMAD R3, R1, R2, R0;
  SHL R8, R0, 2;
  ISETP.lt P1, R0, 16;
  @P1 STS [R8], RZ;
  BAR.SYNC 0;
  MOV R6, c[0][steps];
  MOV R5, 1;
  MOV32I R10, 1664525;
  MOV32I R11, 1013904223;
next:
  IMAD R3, R3, R10, R11;
  SHR.u32 R4, R3, 24;
  LOP.and R4, R4, 0x3c;
  ATOMS.add RZ, [R4], R5;
  IADD R6, R6, -1;
  ISETP.ne P0, R6, 0;
  @P0 BRA next;
  BAR.SYNC 0;
  @P1 LDS R7, [R8];
  IADD R9, R8, c[0][bins];
  @P1 RED.add [R9], R7;
  @P1 RED.max [R9+64], R7;
  @P1 RED.xor [R9+128], R7;
  EXIT;
.endkernel
)";

/// Programs that all streams choose from, assembled once.
struct Programs {
  Programs() : counting(assembled(histogram)) {
    std::mt19937 random(7);
    for (u32 seed = 100; structured.size() < 8; ++seed) {
      sources.push_back(StructuredProgram::random(seed));
      structured.push_back(assembled(sources.back().assembly()));
    }
    for (int i = 0; i < 4; ++i)
      constants.push_back(std::make_unique<Kernel>(random));
  }
  static const Programs &all() {
    static const Programs programs;
    return programs;
  }
  Program counting;
  std::vector<StructuredProgram> sources;
  std::vector<Program> structured;
  std::vector<std::unique_ptr<Kernel>> constants;
};

Launch launchOf(const Program &program, u32 ctas, u32 threads, std::vector<u32> parameters) {
  Launch launch{&program, {}, {}, {}};
  launch.spec.kernel = "test";
  launch.spec.grid = {ctas};
  launch.spec.block = {threads};
  launch.spec.parameters.resize(parameters.size() * 4);
  if (!parameters.empty())
    std::memcpy(launch.spec.parameters.data(), parameters.data(), launch.spec.parameters.size());
  return launch;
}

/// The stream that a seed stands for, in whatever context.
void submitStream(Contexts &on, Context &context, u64 seed) {
  std::mt19937_64 random(seed);
  const Programs &programs = Programs::all();
  auto constants = [&](unsigned bank, unsigned word, unsigned count) {
    std::vector<uint8_t> bytes(count * 4);
    for (uint8_t &byte : bytes)
      byte = uint8_t(random()) & 0xbf;
    on.submit(context, ConstantUpdate{bank, word * 4, std::move(bytes)});
  };
  for (unsigned bank = 1; bank <= banks; ++bank)
    constants(bank, 0, bankWords);
  u64 bins = on.buffer(context, 48);
  for (unsigned left = 2 + random() % 4; left > 0; --left) {
    u32 ctas = 1 + random() % 10, steps = 1 + random() % 10;
    switch (random() % 5) {
    case 0:
      on.submitWalk(context, ctas, 64, steps * 4);
      break;
    case 1:
      on.submitRelay(context, ctas, steps);
      break;
    case 2: {
      Launch launch = launchOf(programs.counting, ctas, 64, {u32(bins), 0, steps});
      launch.spec.sharedBytes = 64;
      on.submit(context, std::move(launch));
      break;
    }
    case 3: {
      size_t which = random() % programs.structured.size();
      const StructuredProgram &source = programs.sources[which];
      u64 table = on.buffer(context, tableWords), out = on.buffer(context, u64(source.threads) * laneWords);
      std::vector<u32> words = source.table();
      const auto *bytes = reinterpret_cast<const uint8_t *>(words.data());
      on.submit(context, CopyToDevice{table, {bytes, bytes + words.size() * 4}});
      on.submit(context,
                launchOf(programs.structured[which], 1, source.threads, {u32(table), 0, u32(out), 0}));
      break;
    }
    default: {
      const Kernel &kernel = *programs.constants[random() % programs.constants.size()];
      u64 out = on.buffer(context, ctas * 64), copy = on.buffer(context, ctas * 64);
      on.submit(context, launchOf(*kernel.program, ctas, 64, {u32(out), 0, steps}));
      on.submit(context, CopyOnDevice{out, copy, ctas * 64 * 4});
    }
    }
    for (; random() % 3 == 0;)
      constants(unsigned(1 + random() % banks), unsigned(random() % (bankWords - 4)), 4);
  }
}

/// Everything in the context's memory.
std::vector<uint8_t> memoryOf(Context &context) {
  std::vector<uint8_t> bytes;
  for (const auto &[base, allocation] : context.memory().allocations()) {
    size_t before = bytes.size();
    bytes.resize(before + allocation.window.size);
    cantFail(context.memory().read(base, llvm::MutableArrayRef(bytes).drop_front(before)));
  }
  return bytes;
}

std::vector<uint8_t> alone(u64 seed) {
  Contexts machine(sharedMachine(2));
  Context &context = machine.context();
  submitStream(machine, context, seed);
  EXPECT_EQ(machine.device.run().reason, StopReason::Finished);
  EXPECT_EQ(context.whyEnded(), "");
  return memoryOf(context);
}

struct Policy {
  u64 allocation, switching, constants, slices;
  std::string name() const {
    static const char *const allocations[] = {"one", "static", "dynamic"};
    return std::string(allocations[allocation]) + (switching ? ", save" : ", drain") +
           (constants ? ", constant caches " + std::to_string(constants - 1) : "") +
           (slices ? ", slices" : "");
  }
};

MachineConfig machineOf(const Policy &policy, u64 seed) {
  std::mt19937_64 random(seed);
  MachineConfig config = sharedMachine(5);
  config.contexts.allocation = policy.allocation;
  config.contexts.switching = policy.switching;
  config.contexts.window = 100 + random() % 1000;
  config.contexts.threshold = random() % 200;
  config.contexts.timeSlice = 300 + random() % 2000;
  config.sm.ctas = 1 + random() % 4;
  config.stack.model = MachineConfig::Stack::Cache;
  config.stack.entries = 4 + random() % 4 * 4;
  config.stack.setEntries = config.stack.moveEntries = 2;
  if (policy.constants) {
    config.constants.model = MachineConfig::Constants::Caches;
    config.constants.caches.protocol = policy.constants - 1;
    config.constants.caches.l1 = {u64(256) << random() % 3, 32, 2};
    config.constants.caches.l2 = {1024, 32, 4};
    config.constants.caches.backupWords = 8 + random() % 50;
  }
  if (policy.slices) {
    config.l2.model = MachineConfig::L2::Slices;
    config.l2.slices = 1 + random() % 3;
    config.l2.bytes = 4096;
    config.l2.ways = 4;
    config.l1.model = random() % 2;
    config.l1.bytes = 1024;
    config.tlb.model = random() % 2;
    config.tlb.entries = config.tlb.ways = 4;
  }
  if (random() % 5 == 0)
    config.timing.model = MachineConfig::Timing::Off;
  setClockModels(config, random);
  EXPECT_EQ(textOf(config.check()), "success");
  return config;
}

/// Three streams that are to end well, among others that do not.
void runTogether(const Policy &policy, u64 seed, llvm::ArrayRef<std::vector<uint8_t>> expected) {
  std::mt19937_64 random(seed);
  Contexts shared(machineOf(policy, seed));
  const Program endless = assembled("again: BRA again\n EXIT");
  std::vector<Context *> good;
  auto addGood = [&] {
    good.push_back(&shared.context({.name = "good", .priority = int(random() % 2)}));
    submitStream(shared, *good.back(), seed * 3 + good.size() - 1);
  };
  auto aLittle = [&] {
    if (random() % 2)
      shared.device.runUntil(shared.device.cycle() + random() % 3000);
  };
  addGood();
  aLittle();
  Context &bad =
      shared.context({.name = "bad", .priority = int(random() % 2), .watchdog = 500 + random() % 5000});
  if (random() % 2)
    submitStream(shared, bad, random());
  if (random() % 2 && bad.alive())
    shared.submit(bad, launchOf(endless, 1 + random() % 8, 64, {}));
  else if (bad.alive())
    shared.submit(bad, launchOf(shared.walkCode, 4, 64, {0x20, u32(1 + random() % 50)}));
  aLittle();
  addGood();
  Context &victim = shared.context({.name = "victim", .priority = int(random() % 2)});
  submitStream(shared, victim, random());
  shared.device.runUntil(shared.device.cycle() + random() % 4000);
  shared.device.kill(victim, "killed by a test");
  addGood();
  ASSERT_EQ(shared.device.runUntil(100'000'000).reason, StopReason::Finished)
      << policy.name() << ", seed " << seed;
  EXPECT_FALSE(bad.alive());
  for (size_t i = 0; i < good.size(); ++i) {
    EXPECT_EQ(good[i]->whyEnded(), "") << policy.name() << ", seed " << seed;
    ASSERT_TRUE(memoryOf(*good[i]) == expected[i])
        << policy.name() << ", seed " << seed << ", context " << good[i]->id();
  }
}

} // namespace

TEST(SameBits, UnderEveryPolicyAndBesideFaultsAndKills) {
  for (u64 seed = 0; seed < effort(20) && !HasFailure(); ++seed) {
    std::vector<std::vector<uint8_t>> expected;
    for (unsigned i = 0; i < 3; ++i)
      expected.push_back(alone(seed * 3 + i));
    for (u64 allocation : {Config::One, Config::Static, Config::Dynamic})
      for (u64 switching : {Config::Drain, Config::Save})
        for (u64 constants : {u64(0), 1 + seed % 3})
          for (u64 slices : {0, 1})
            if (!HasFailure())
              runTogether({allocation, switching, constants, slices}, seed, expected);
  }
}
