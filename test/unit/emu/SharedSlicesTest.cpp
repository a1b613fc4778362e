#include "../Effort.h"
#include "DeviceHarness.h"
#include "emu/memory/L2Slices.h"

// S3, S4: contexts share the slices on the memory side of the crossbar, by physical addresses.
using namespace leno;
using namespace leno::test;
using Config = MachineConfig::Contexts;

namespace {

/// One warp reads a buffer from end to end, `rounds` times, a line of 128 bytes with each load. Parameters:
/// the buffer, its lines, the rounds.
Program readOver() {
  return assembled(R"(
    .param u32 buffer
    .param u32 lines
    .param u32 rounds
    S2R R0, SR_TID.X
    SHL R0, R0, 2
    MOV R1, c[0][rounds]
  round:
    MOV R2, c[0][buffer]
    IADD R2, R2, R0
    MOV R3, c[0][lines]
  line:
    LDG R4, [R2]
    IADD R2, R2, 128
    IADD R3, R3, -1
    ISETP.ne P0, R3, 0
    @P0 BRA line
    IADD R1, R1, -1
    ISETP.ne P0, R1, 0
    @P0 BRA round
    EXIT
  )");
}

MachineConfig withSlices() {
  MachineConfig config = sharedMachine(2);
  config.contexts.allocation = Config::Static;
  config.l2.model = MachineConfig::L2::Slices;
  config.l2.slices = 2;
  config.l2.bytes = 8192; // 64 lines each, 128 in all
  config.l2.ways = 64;    // and no conflicts
  return config;
}

struct Readers : Contexts {
  explicit Readers(const MachineConfig &config) : Contexts(config) {}
  Context &reader(u32 lines, u32 rounds, std::string name) {
    Context &made = context({.name = std::move(name)});
    submit(made, launchOf(code, 1, 32, {u32(buffer(made, lines * 32)), lines, rounds}));
    return made;
  }
  L2Slice::Counts slices() const {
    L2Slice::Counts sum;
    for (unsigned i = 0; i < device.sharedModels().memorySide.find<L2Slices>()->count(); ++i) {
      const L2Slice::Counts &one = device.sharedModels().memorySide.find<L2Slices>()->slice(i);
      sum.readHits += one.readHits, sum.readMisses += one.readMisses;
      sum.writeHits += one.writeHits, sum.writeMisses += one.writeMisses;
      sum.evictions += one.evictions;
    }
    return sum;
  }
  const Program code = readOver();
};

} // namespace

TEST(SharedSlices, ContextsThatFitTogetherMissOnceEach) {
  Readers run(withSlices());
  Context &a = run.reader(60, 5, "a"), &b = run.reader(60, 5, "b");
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  for (Context *context : {&a, &b}) {
    MemoryChain::Counts sent = context->memoryCounts().ports.of(MemoryRequest::Global);
    EXPECT_EQ(sent.requests, 300u);
    EXPECT_EQ(sent.requests - sent.hits, 60u) << "the same addresses, and yet lines of its own";
  }
  EXPECT_EQ(run.slices().evictions, 0u);
}

TEST(SharedSlices, ContextsThatOverflowThemEvictEachOther) {
  Readers run(withSlices());
  Context &a = run.reader(100, 5, "a"), &b = run.reader(100, 5, "b");
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  MemoryChain::Counts fromA = a.memoryCounts().ports.of(MemoryRequest::Global),
                      fromB = b.memoryCounts().ports.of(MemoryRequest::Global);
  EXPECT_EQ(fromA.requests, 500u);
  EXPECT_EQ(fromB.requests, 500u);
  EXPECT_GT(fromA.requests - fromA.hits, 100u) << "alone it misses each line once";
  EXPECT_GT(fromB.requests - fromB.hits, 100u);
  L2Slice::Counts slices = run.slices();
  EXPECT_EQ(slices.readHits, fromA.hits + fromB.hits);
  EXPECT_EQ(slices.readHits + slices.readMisses, fromA.requests + fromB.requests);
  EXPECT_EQ(slices.evictions, slices.readMisses - 128);

  Readers alone(withSlices());
  Context &one = alone.reader(100, 5, "a");
  ASSERT_EQ(alone.device.run().reason, StopReason::Finished);
  MemoryChain::Counts fromOne = one.memoryCounts().ports.of(MemoryRequest::Global);
  EXPECT_EQ(fromOne.requests - fromOne.hits, 100u);
  EXPECT_LT(*one.launches()[0].ended, *a.launches()[0].ended) << "misses take time";
}

// What a context's launch left there, its next one finds.
TEST(SharedSlices, OutliveLaunches) {
  Readers run(withSlices());
  Context &context = run.context();
  u32 buffer = u32(run.buffer(context, 40 * 32));
  for (int i = 0; i < 3; ++i)
    run.submit(context, Contexts::launchOf(run.code, 1, 32, {buffer, 40, 1}));
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  MemoryChain::Counts sent = context.memoryCounts().ports.of(MemoryRequest::Global);
  EXPECT_EQ(sent.requests, 120u);
  EXPECT_EQ(sent.hits, 80u);
}

TEST(SharedSlices, APortIsTheSmThatTheStateIsOn) {
  Readers run(withSlices());
  Context &a = run.reader(10, 1, "a"), &b = run.reader(20, 1, "b");
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_EQ(a.memoryCounts().ports.sms[0][MemoryRequest::Global].requests, 10u);
  EXPECT_EQ(a.memoryCounts().ports.sms[1][MemoryRequest::Global].requests, 0u);
  EXPECT_EQ(b.memoryCounts().ports.sms[0][MemoryRequest::Global].requests, 0u);
  EXPECT_EQ(b.memoryCounts().ports.sms[1][MemoryRequest::Global].requests, 20u);
}

// The spills of divergence stacks and local memory lie at the same places of each context, but not in the
// same memory.
TEST(SharedSlices, StacksOfContextsLieApart) {
  MachineConfig config = withSlices();
  config.stack.model = MachineConfig::Stack::Memory;
  config.l2.bytes = 131072;
  auto misses = [&](unsigned contexts) {
    Contexts run(config);
    for (unsigned i = 0; i < contexts; ++i)
      run.submitRelay(run.context(), 1, 4);
    EXPECT_EQ(run.device.run().reason, StopReason::Finished);
    std::vector<u64> each;
    for (const auto &context : run.device.contexts()) {
      MemoryChain::Counts sent = context->memoryCounts().ports.of(MemoryRequest::Stack);
      EXPECT_GT(sent.requests, 0u);
      each.push_back(sent.requests - sent.hits);
    }
    return each;
  };
  u64 alone = misses(1)[0];
  EXPECT_GT(alone, 0u);
  EXPECT_EQ(misses(2), (std::vector<u64>{alone, alone}));
}

// Whoever has which SMs and when: the slices have answered what contexts asked, as often as they did.
TEST(SharedSlices, CountsAddUpAndAreTheSameEachTime) {
  auto history = [](u64 seed) {
    std::mt19937_64 random(seed);
    MachineConfig config = withSlices();
    config.sm.count = 1 + random() % 4;
    config.contexts.allocation = random() % 2 ? Config::Dynamic : Config::One;
    config.contexts.switching = random() % 2;
    config.contexts.timeSlice = 500 + random() % 2000;
    config.contexts.window = 300;
    config.contexts.threshold = random() % 200;
    config.timing.model = random() % 4 ? MachineConfig::Timing::Cycles : MachineConfig::Timing::Off;
    config.stack.model = random() % 3;
    Contexts run(config);
    std::vector<std::pair<Context *, u64>> outs;
    for (unsigned i = 0; i < 3; ++i) {
      Context &context = run.context({.name = std::to_string(i), .priority = int(random() % 2)});
      outs.push_back({&context, run.submitRelay(context, 12, 6)});
      if (random() % 2)
        run.device.runUntil(run.device.cycle() + random() % 3000);
    }
    EXPECT_EQ(run.device.run().reason, StopReason::Finished);
    u64 requests = 0;
    std::vector<u64> numbers = {run.device.cycle()};
    for (const auto &[context, out] : outs) {
      EXPECT_EQ(run.words(*context, out, 12 * 64), relayed(12, 6)) << seed;
      for (const auto &sm : context->memoryCounts().ports.sms)
        for (const MemoryChain::Counts &counts : sm) {
          requests += counts.requests;
          numbers.insert(numbers.end(), {counts.accesses, counts.requests, counts.hits, counts.waitCycles});
        }
    }
    u64 came = 0;
    for (unsigned i = 0; i < run.device.sharedModels().memorySide.find<L2Slices>()->count(); ++i)
      came += run.device.sharedModels().memorySide.find<L2Slices>()->requestsOf(i);
    EXPECT_EQ(came, requests);
    return numbers;
  };
  for (u64 seed = 0; seed < effort(12); ++seed)
    EXPECT_EQ(history(seed), history(seed));
}
