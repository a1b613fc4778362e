#include "DeviceHarness.h"
#include "llvm/Support/MathExtras.h"

// S4: several contexts on one device at once.
using namespace leno;
using namespace leno::test;
using Config = MachineConfig::Contexts;

//===--- One context ------------------------------------------------------===//

TEST(ContextsRun, ALoneContextTakesTheCyclesOfALoneGrid) {
  MachineConfig config = sharedMachine();
  config.device.launchCycles = 0;
  Program code = walk();
  TestMachine machine(config);
  u64 out = machine.buffer(40 * 96 * 4);
  Machine &alone = machine.launch(code, {40}, {96}, {u32(out), 20});
  ASSERT_EQ(alone.run().reason, StopReason::Finished);

  Contexts shared(config);
  Context &context = shared.context();
  std::optional<CycleCounts> counts;
  Launch launch = Contexts::launchOf(code, 40, 96, {u32(shared.buffer(context, 40 * 96)), 20});
  launch.ended = [&](GridRun &run) { counts = run.cycleCounts(); };
  shared.submit(context, std::move(launch));
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  ASSERT_TRUE(counts);
  EXPECT_EQ(counts->issued, alone.grid()->cycleCounts()->issued);
  // A CTA goes out a cycle after another has ended; nothing else differs.
  EXPECT_NEAR(double(counts->cycles), double(alone.grid()->cycleCounts()->cycles), 8);
  shared.expectWalked(context, 0x10000, 40, 96, 20);
}

TEST(ContextsRun, WithoutTheCycleModelResultsAreTheSame) {
  Contexts shared{MachineConfig()};
  Context &a = shared.context({.name = "a"}), &b = shared.context({.name = "b"});
  u64 outA = shared.submitWalk(a, 33, 70, 50), outB = shared.submitRelay(b, 20, 9);
  EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
  shared.expectWalked(a, outA, 33, 70, 50);
  EXPECT_EQ(shared.words(b, outB, 20 * 64), relayed(20, 9));
}

//===--- The stream -------------------------------------------------------===//

// S2: a launch sees the constants as they stood at its place in the stream.
TEST(Pushbuffer, ALaunchSeesTheConstantsOfItsPlace) {
  Program code = assembled(".param u32 out\n MOV R1, c[3][8]\n MOV R4, c[0][out]\n STG [R4], R1\n EXIT");
  Contexts shared(sharedMachine());
  Context &context = shared.context();
  u64 out = shared.buffer(context, 3);
  auto constant = [&](uint8_t value) { shared.submit(context, ConstantUpdate{3, 8, {value, 0, 0, 0}}); };
  for (u32 i = 0; i < 3; ++i) {
    constant(uint8_t(10 + i));
    shared.submit(context, Contexts::launchOf(code, 1, 1, {u32(out + 4 * i)}));
  }
  constant(99);
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_EQ(shared.words(context, out, 3), (std::vector<u32>{10, 11, 12}));
  EXPECT_EQ(context.counts().commands, 7u);
}

TEST(Pushbuffer, CopiesAndLaunchesKeepTheirOrder) {
  Program increment = assembled(R"(
    .param u32 out
    MOV R4, c[0][out]
    LDG R1, [R4]
    IADD R1, R1, 1
    STG [R4], R1
    EXIT
  )");
  Contexts shared(sharedMachine());
  Context &context = shared.context();
  u64 first = shared.buffer(context, 1), second = shared.buffer(context, 1);
  std::vector<uint8_t> early(4), late(4);
  shared.submit(context, CopyToDevice{first, {41, 0, 0, 0}});
  shared.submit(context, Contexts::launchOf(increment, 1, 1, {u32(first)}));
  shared.submit(context, CopyToHost{first, early});
  shared.submit(context, CopyOnDevice{first, second, 4});
  shared.submit(context, Contexts::launchOf(increment, 1, 1, {u32(second)}));
  shared.submit(context, CopyToHost{second, late});
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_EQ(early[0], 42);
  EXPECT_EQ(late[0], 43);
}

TEST(Pushbuffer, ACopyTakesTimeByItsBytes) {
  MachineConfig config = sharedMachine();
  config.device.copyBytes = 16;
  Contexts shared(config);
  Context &context = shared.context();
  u64 out = shared.buffer(context, 1000);
  shared.submit(context, CopyToDevice{out, std::vector<uint8_t>(1600)});
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_NEAR(double(shared.device.cycle()), 101, 2);
}

TEST(Pushbuffer, ASemaphoreOrdersTwoContexts) {
  Contexts shared(sharedMachine());
  Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
  shared.submit(second, SemaphoreAcquire{7, 2});
  shared.submitWalk(second, 1, 32, 1);
  shared.submitWalk(first, 4, 64, 100);
  shared.submit(first, SemaphoreRelease{7, 1});
  shared.submitWalk(first, 4, 64, 100);
  shared.submit(first, SemaphoreRelease{7, 2});
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  ASSERT_EQ(first.launches().size(), 2u);
  EXPECT_GT(second.launches()[0].decoded, *first.launches()[1].ended) << "a release is a fence";
}

TEST(Pushbuffer, WhoWaitsForNobodyIsStuckUntilTheHostReleases) {
  Contexts shared(sharedMachine());
  Context &context = shared.context();
  shared.submit(context, SemaphoreAcquire{1, 1});
  u64 out = shared.submitWalk(context, 1, 32, 3);
  EXPECT_EQ(shared.device.run().reason, StopReason::Stuck);
  shared.device.semaphores().release(1, 1);
  EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
  shared.expectWalked(context, out, 1, 32, 3);
}

TEST(Pushbuffer, AMistakeEndsItsContextWithWords) {
  Contexts shared(sharedMachine());
  Context &bad = shared.context({.name = "bad"}), &good = shared.context({.name = "good"});
  shared.submit(bad, CopyToDevice{0x20, {1, 2, 3}});
  shared.submitWalk(bad, 1, 32, 1);
  u64 out = shared.submitWalk(good, 9, 32, 8);
  EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_FALSE(bad.alive());
  EXPECT_EQ(bad.whyEnded().substr(0, 22), "a copy cannot be made:") << bad.whyEnded();
  EXPECT_TRUE(bad.launches().empty());
  EXPECT_EQ(toString(shared.device.submit(bad, SyncToken{})).substr(0, 48),
            "context 'bad' takes no more commands, it has end");
  shared.expectWalked(good, out, 9, 32, 8);
}

TEST(Pushbuffer, ALaunchTooLargeIsRefusedWhenItIsSubmitted) {
  MachineConfig config = sharedMachine();
  config.sm.registers = 32 * 10;
  Contexts shared(config);
  Context &context = shared.context();
  llvm::Error error = shared.device.submit(context, Contexts::launchOf(shared.walkCode, 1, 64, {0, 1}));
  EXPECT_EQ(
      toString(std::move(error)),
      "a CTA of kernel 'test' needs 576 registers, 9 for each lane of its 2 warps; a multiprocessor has "
      "320: lower .reg or the block, or raise sm.registers");
}

//===--- Residency --------------------------------------------------------===//

TEST(Residency, WhatAnSmHasLeastOfLimitsItsCtas) {
  MachineConfig::Sm sm;
  sm.warps = 24, sm.ctas = 8, sm.sharedBytes = 49152, sm.registers = 65536;
  auto check = [&](CtaNeeds needs, u64 ctas, Occupancy::Limit limit) {
    Occupancy found = occupancyOf(sm, needs);
    EXPECT_EQ(found.ctas, ctas);
    EXPECT_EQ(found.warps, ctas * needs.warps);
    EXPECT_EQ(limitName(found.limit), limitName(limit));
  };
  check({2, 1000, 2 * 32 * 10}, 8, Occupancy::Ctas);
  check({8, 1000, 8 * 32 * 10}, 3, Occupancy::Warps);
  check({4, 1000, 4 * 32 * 128}, 4, Occupancy::Registers);
  check({4, 20000, 4 * 32 * 10}, 2, Occupancy::SharedMemory);
}

TEST(Residency, AnSmTakesNoMoreCtasThanItHasRegistersFor) {
  MachineConfig config;
  config.sm.count = 1;
  Program code = walk(); // 9 registers, a CTA of one warp 288
  config.sm.registers = 3 * 288 + 287;
  TestMachine machine(config);
  Machine &run = machine.launch(code, {20}, {32}, {u32(machine.buffer(20 * 128)), 5});
  run.start();
  EXPECT_EQ(run.grid()->residentCtas().size(), 3u);
  EXPECT_EQ(run.run().reason, StopReason::Finished);
}

//===--- Several contexts -------------------------------------------------===//

namespace {

/// Two contexts with work for half of the SMs each: cycles until both are done.
u64 halfWidthCycles(u64 allocation) {
  MachineConfig config = sharedMachine(4);
  config.contexts.allocation = allocation;
  config.contexts.timeSlice = 0;
  Contexts shared(config);
  Context &a = shared.context({.name = "a"}), &b = shared.context({.name = "b"});
  u64 outA = shared.submitWalk(a, 2, 768, 100), outB = shared.submitWalk(b, 2, 768, 100);
  EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
  shared.expectWalked(a, outA, 2, 768, 100);
  shared.expectWalked(b, outB, 2, 768, 100);
  return shared.device.cycle();
}

} // namespace

// S4: "if a first context requires only 15 000 threads the full processing throughput is achieved by also
// processing a second context that uses the remaining 15 000 threads".
TEST(Contexts, TwoOfHalfWidthTogetherTakeHalfTheTime) {
  u64 oneAfterTheOther = halfWidthCycles(Config::One);
  EXPECT_LE(double(halfWidthCycles(Config::Static)) / double(oneAfterTheOther), 0.55);
  EXPECT_LE(double(halfWidthCycles(Config::Dynamic)) / double(oneAfterTheOther), 0.55);
}

TEST(Contexts, EachHasItsOwnMemoryConstantsAndNumber) {
  Program code = assembled(R"(
    .param u32 out
    S2R R1, SR_CTXID
    MOV R4, c[0][out]
    STG [R4], R1
    MOV R1, c[1][0]
    STG [R4+4], R1
    EXIT
  )");
  Contexts shared(sharedMachine());
  std::vector<Context *> all;
  std::vector<u64> outs;
  for (uint8_t i = 0; i < 3; ++i) {
    Context &context = *all.emplace_back(&shared.context());
    outs.push_back(shared.buffer(context, 2));
    shared.submit(context, ConstantUpdate{1, 0, {uint8_t(50 + i), 0, 0, 0}});
    shared.submit(context, Contexts::launchOf(code, 1, 1, {u32(outs.back())}));
  }
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  for (u32 i = 0; i < 3; ++i) {
    EXPECT_EQ(outs[i], outs[0]) << "the same address in another space";
    EXPECT_EQ(shared.words(*all[i], outs[i], 2), (std::vector<u32>{i, 50 + i}));
  }
}

// S4: "the processing engines may begin processing a new high priority context quickly"; "the long running
// context does not need to be killed".
TEST(Contexts, OneOfHighPriorityStartsWithoutWaitingForTheLong) {
  for (u64 switching : {Config::Save, Config::Drain}) {
    MachineConfig config = sharedMachine(4);
    config.contexts.switching = switching;
    Contexts shared(config);
    Context &longOne = shared.context({.name = "long"}),
            &urgent = shared.context({.name = "urgent", .priority = 1});
    u64 outLong = shared.submitWalk(longOne, 64, 256, 200);
    ASSERT_EQ(shared.device.runUntil(3000).reason, StopReason::Cycle);
    EXPECT_EQ(longOne.sms(), 4u);
    u64 outUrgent = shared.submitWalk(urgent, 3, 256, 20);
    ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
    EXPECT_LT(*urgent.launches()[0].ended, *longOne.launches()[0].ended);
    shared.expectWalked(longOne, outLong, 64, 256, 200);
    shared.expectWalked(urgent, outUrgent, 3, 256, 20);
    auto changes = shared.eventsOf(DeviceEvent::ContextChange);
    EXPECT_EQ(changes[1].why, DeviceEvent::PriorityArrives);
    if (switching == Config::Drain) {
      EXPECT_EQ(longOne.counts().drains, 3u);
      EXPECT_EQ(longOne.counts().saves, 0u);
      continue;
    }
    // An SM has 3 CTAs of 8 warps: each warp 9 registers of 32 lanes, 7 predicates, 4 codes, its mask, its PC
    // and 4 masks of lanes that wait, all of 32 bits.
    EXPECT_EQ(longOne.counts().saves, 3u);
    EXPECT_EQ(longOne.counts().restores, 3u);
    EXPECT_EQ(longOne.counts().savedBytes, 3u * 24 * (9 * 128 + (7 + 4 + 1 + 1 + 4) * 4));
    EXPECT_EQ(longOne.counts().restoredBytes, longOne.counts().savedBytes);
    u64 saving = llvm::divideCeil(longOne.counts().savedBytes / 3, config.contexts.storageBytes);
    EXPECT_EQ(longOne.counts().switchCycles, 6 * saving);
    // Setup and saving go on side by side.
    EXPECT_LE(urgent.launches()[0].startLatency(), std::max(saving, 1 + config.device.launchCycles) + 2);
  }
}

TEST(Contexts, SavedStateIsAllThatAnSmHolds) {
  MachineConfig config = sharedMachine(2);
  for (u64 model : {MachineConfig::Stack::Chip, MachineConfig::Stack::Cache, MachineConfig::Stack::Memory}) {
    config.stack.model = model;
    for (u64 at = 300; at < 2500; at += 171) {
      Contexts shared(config);
      Context &old = shared.context({.name = "old"}),
              &urgent = shared.context({.name = "urgent", .priority = 1});
      u64 outOld = shared.submitRelay(old, 24, 12);
      shared.device.runUntil(at);
      u64 outUrgent = shared.submitRelay(urgent, 7, 5);
      ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
      EXPECT_EQ(old.whyEnded(), "");
      EXPECT_EQ(old.counts().saves, old.counts().restores);
      EXPECT_GE(old.counts().saves, 1u);
      EXPECT_EQ(shared.words(old, outOld, 24 * 64), relayed(24, 12)) << at;
      EXPECT_EQ(shared.words(urgent, outUrgent, 7 * 64), relayed(7, 5)) << at;
    }
  }
}

// However long a switch takes beside them: one that ends with a slice leaves the next one to the SM.
TEST(Contexts, SlicesOfAnyLengthAreTimeToRun) {
  unsigned switches = 0;
  for (u64 slice = 1; slice <= 200; ++slice) {
    MachineConfig config = sharedMachine(2);
    config.contexts.allocation = Config::One;
    config.contexts.timeSlice = slice;
    Contexts shared(config);
    Context &a = shared.context({.name = "a"}), &b = shared.context({.name = "b"});
    u64 outA = shared.submitWalk(a, 2, 64, 30), outB = shared.submitWalk(b, 2, 64, 30);
    ASSERT_EQ(shared.device.runUntil(1'000'000).reason, StopReason::Finished)
        << "slices of " << slice << " cycles";
    shared.expectWalked(a, outA, 2, 64, 30);
    shared.expectWalked(b, outB, 2, 64, 30);
    switches += unsigned(a.counts().saves);
  }
  EXPECT_GT(switches, 200u);
}

TEST(Contexts, MoreThanThereAreSmsTakeTurns) {
  for (u64 allocation : {Config::One, Config::Dynamic}) {
    MachineConfig config = sharedMachine(2);
    config.contexts.allocation = allocation;
    config.contexts.timeSlice = 1500;
    Contexts shared(config);
    std::vector<Context *> all;
    std::vector<u64> outs;
    for (unsigned i = 0; i < 5; ++i) {
      all.push_back(&shared.context({.name = std::to_string(i)}));
      outs.push_back(shared.submitRelay(*all.back(), 16, 10));
    }
    ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
    bool expired = false;
    for (const DeviceEvent &event : shared.eventsOf(DeviceEvent::ContextChange))
      expired |= event.why == DeviceEvent::SliceExpires;
    EXPECT_TRUE(expired);
    for (unsigned i = 0; i < 5; ++i)
      EXPECT_EQ(shared.words(*all[i], outs[i], 16 * 64), relayed(16, 10)) << i;
  }
}
