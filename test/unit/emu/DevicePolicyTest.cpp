#include "../Effort.h"
#include "DeviceHarness.h"

// S4: who gets the SMs when, and that nobody's results depend on it.
using namespace leno;
using namespace leno::test;
using Config = MachineConfig::Contexts;

//===--- Rebalancing ------------------------------------------------------===//

namespace {

/// One context sets up many small grids, the other has one wide grid.
struct SetupAndThroughput : Contexts {
  explicit SetupAndThroughput(MachineConfig config)
      : Contexts(config), setup(context({.name = "setup"})), wide(context({.name = "wide"})) {
    for (int i = 0; i < 20; ++i)
      small.push_back(submitWalk(setup, 1, 32, 40));
    large = submitWalk(wide, 40, 256, 100);
  }
  void expectResults() {
    for (u64 out : small)
      expectWalked(setup, out, 1, 32, 40);
    expectWalked(wide, large, 40, 256, 100);
  }
  Context &setup, &wide;
  std::vector<u64> small;
  u64 large = 0;
};

} // namespace

// S4: "the context with the greatest number of blocked clock cycles is allocated an additional processing
// slice and the context with the least number of blocked clock cycles is allocated one less".
TEST(Rebalancing, TheWideContextGainsTheSlicesThatTheOtherDoesNotUse) {
  MachineConfig config = sharedMachine(4);
  config.contexts.window = 1000;
  config.contexts.threshold = 300;
  SetupAndThroughput run(config);
  run.device.runUntil(1500);
  EXPECT_EQ(run.setup.smsGranted(), 1u);
  EXPECT_EQ(run.wide.smsGranted(), 3u);
  std::vector<DeviceEvent> moves = run.eventsOf(DeviceEvent::SliceMoved);
  ASSERT_EQ(moves.size(), 1u);
  EXPECT_EQ(moves[0].cycle, 1000u);
  EXPECT_EQ(moves[0].context, run.wide.id());
  EXPECT_EQ(moves[0].other, run.setup.id());
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_EQ(run.wide.counts().slicesGained, 1u);
  EXPECT_EQ(run.setup.counts().slicesLost, 1u);
  EXPECT_GT(run.wide.counts().blockedCycles, run.setup.counts().blockedCycles);
  run.expectResults();
}

TEST(Rebalancing, ReachesTheBetterStaticSplit) {
  auto cycles = [](u64 allocation, std::optional<u64> setupSms) {
    MachineConfig config = sharedMachine(4);
    config.contexts.allocation = allocation;
    config.contexts.window = 1000;
    Contexts shared(config);
    Context &setup = shared.context({.name = "setup", .sms = setupSms.value_or(0)}),
            &wide = shared.context({.name = "wide"});
    for (int i = 0; i < 40; ++i)
      shared.submitWalk(setup, 1, 32, 40);
    shared.submitWalk(wide, 60, 256, 100);
    EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
    return double(shared.device.cycle());
  };
  double best = cycles(Config::Static, 1);
  for (u64 sms : {2, 3})
    best = std::min(best, cycles(Config::Static, sms));
  EXPECT_LE(cycles(Config::Dynamic, std::nullopt), best * 1.05);
}

//===--- Page faults ------------------------------------------------------===//

// S4: "when a first core has a page fault ... other cores can be switched to processing of a second context
// as they complete processing of the first context, without necessitating a storing of the first context
// state of the first core".
TEST(PageFaults, OtherSmsGoToAnotherContextAndTheFirstKeepsItsState) {
  MachineConfig config = sharedMachine(4);
  config.device.faultCycles = 20000;
  config.contexts.switching = Config::Drain;
  Contexts shared(config);
  Context &first = shared.context({.name = "first"});
  // CTA 0 writes to a page of its own, the others to the second one, which they all wait for.
  u64 out = cantFail(first.memory().allocateOnDemand(16 * 64 * 4, "on demand"));
  Launch launch = Contexts::launchOf(shared.walkCode, 16, 64, {u32(out), 10});
  shared.submit(first, std::move(launch));
  shared.device.runUntil(5000);
  EXPECT_EQ(first.counts().pageFaults, 1u) << "one page: who comes later waits for the same mapping";
  Context &second = shared.context({.name = "second"});
  u64 other = shared.submitWalk(second, 8, 64, 50);
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  shared.expectWalked(first, out, 16, 64, 10);
  shared.expectWalked(second, other, 8, 64, 50);
  EXPECT_GT(*first.launches()[0].ended, 20000u);
  EXPECT_EQ(first.counts().saves, 0u);
}

TEST(PageFaults, NewWorkGoesToOthersUntilThePageIsMapped) {
  MachineConfig config = sharedMachine(4);
  config.device.faultCycles = 10000;
  Contexts shared(config);
  Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
  u64 out = cantFail(first.memory().allocateOnDemand(64 * 1024 * 4, "on demand"));
  // CTAs of 32 warps' worth of pages; each SM holds one of them.
  shared.submit(first, Contexts::launchOf(shared.walkCode, 2, 768, {u32(out), 10}));
  u64 other = shared.submitWalk(second, 60, 256, 100);
  ASSERT_EQ(shared.device.runUntil(9000).reason, StopReason::Cycle);
  EXPECT_EQ(first.sms(), 2u) << "it keeps the SMs that have its state";
  bool faulted = false;
  for (const DeviceEvent &event : shared.eventsOf(DeviceEvent::ContextChange))
    faulted |= event.why == DeviceEvent::Fault && event.context == first.id();
  EXPECT_TRUE(faulted);
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  shared.expectWalked(first, out, 2, 768, 10);
  shared.expectWalked(second, other, 60, 256, 100);
  EXPECT_GE(first.counts().pageFaults, 2u);
}

TEST(PageFaults, ALoneGridWaitsForItsPages) {
  MachineConfig config = sharedMachine(1);
  config.device.faultCycles = 3000;
  TestMachine machine(config);
  Program code = walk();
  u64 out = cantFail(machine.device.memory().allocateOnDemand(4096 * 3, "on demand"));
  Machine &run = machine.launch(code, {3}, {1024 / 2}, {u32(out), 2});
  ASSERT_EQ(run.run().reason, StopReason::Finished);
  EXPECT_GE(run.grid()->cycleCounts()->cycles, 3000u);
  EXPECT_LT(run.grid()->cycleCounts()->cycles, 3000u * 3);
  std::vector<u32> got = machine.words(out, 3 * 512);
  for (u32 i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], walked(i, 2));
}

TEST(PageFaults, OutsideOfTheAllocationIsStillATrap) {
  Contexts shared(sharedMachine());
  Context &context = shared.context();
  u64 out = cantFail(context.memory().allocateOnDemand(100 * 4, "on demand"));
  shared.submit(context, Contexts::launchOf(shared.walkCode, 1, 128, {u32(out), 2}));
  EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
  ASSERT_TRUE(context.trap());
  EXPECT_EQ(context.trap()->kind, TrapKind::AddressOutOfRange);
  EXPECT_EQ(context.trap()->address, out + 400);
}

// Loads and stores, generic ones, of 128 bits, atomics, reductions and locks: each finds a page of its own that
// is not there, and waits for it.
TEST(PageFaults, EveryKindOfAccessWaitsForItsPage) {
  MachineConfig config = sharedMachine(1);
  config.device.faultCycles = 3000;
  Contexts shared(config);
  Context &context = shared.context();
  constexpr u32 kinds = 8, page = 4096;
  u64 data = cantFail(context.memory().allocateOnDemand(kinds * page, "on demand"));
  Program code = assembled(R"(
    .param u32 data
    MOV R0, c[0][data]
    MOV R3, 5
    LDG R4, [R0]
    STG [R0+0x1000], R3
    LD R4, [R0+0x2000]
    ST [R0+0x3000], R3
    LDG.128 R4, [R0+0x4000]
    IADD R0, R0, 0x4000
    ATOM.add R8, [R0+0x1000], R3
    RED.add [R0+0x2000], R3
    LDLK P0, R8, [R0+0x3000]
    @P0 STUL [R0+0x3000], R3
    EXIT
  )");
  shared.submit(context, Contexts::launchOf(code, 1, 1, {u32(data)}));
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  ASSERT_FALSE(context.trap()) << context.trap()->str();
  EXPECT_EQ(context.counts().pageFaults, kinds);
  EXPECT_GT(*context.launches()[0].ended, kinds * 3000u);
  std::vector<u32> words = shared.words(context, data, kinds * page / 4);
  for (u32 kind = 0; kind < kinds; ++kind)
    EXPECT_EQ(words[kind * page / 4], kind == 0 || kind == 2 || kind == 4 ? 0u : 5u) << kind;
}

//===--- Shares that change -----------------------------------------------===//

TEST(Shares, AStaticSplitChangesWhileBothRun) {
  MachineConfig config = sharedMachine(4);
  config.contexts.allocation = Config::Static;
  Contexts shared(config);
  Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
  u64 outs[] = {shared.submitWalk(first, 40, 256, 100), shared.submitWalk(second, 40, 256, 100)};
  shared.device.runUntil(2000);
  EXPECT_EQ(first.sms(), 2u);
  EXPECT_EQ(second.sms(), 2u);
  cantFail(shared.device.share(first, {.sms = 3}));
  shared.device.runUntil(6000);
  EXPECT_EQ(first.sms(), 3u);
  EXPECT_EQ(second.sms(), 1u);
  EXPECT_EQ(toString(shared.device.share(second, {.sms = 2})),
            "of 4 SMs context 'second' cannot have 2: each of the others needs what it asks for, or one");
  EXPECT_EQ(second.smsAsked(), 0u) << "nothing has changed";
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  shared.expectWalked(first, outs[0], 40, 256, 100);
  shared.expectWalked(second, outs[1], 40, 256, 100);
}

// In the stream, a share waits for no launch.
TEST(Shares, AHigherPriorityMigratesTheOtherToFewerSms) {
  Contexts shared(sharedMachine(4));
  Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
  u64 outs[] = {shared.submitWalk(first, 40, 256, 200), shared.submitWalk(second, 40, 256, 200)};
  shared.submit(second, NotBefore{1500});
  shared.submit(second, Share{.priority = 1});
  shared.device.runUntil(1500);
  EXPECT_EQ(second.smsGranted(), 2u);
  shared.device.runUntil(1510);
  EXPECT_EQ(second.priority(), 1);
  EXPECT_EQ(second.smsGranted(), 3u);
  EXPECT_EQ(first.smsGranted(), 1u);
  EXPECT_FALSE(second.launches()[0].ended);
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_LT(*second.launches()[0].ended, *first.launches()[0].ended);
  bool told = false;
  for (const DeviceEvent &event : shared.eventsOf(DeviceEvent::ContextChange))
    told |= event.why == DeviceEvent::ShareChanges && event.context == second.id();
  EXPECT_TRUE(told);
  shared.expectWalked(first, outs[0], 40, 256, 200);
  shared.expectWalked(second, outs[1], 40, 256, 200);
}

//===--- A shared SM ------------------------------------------------------===//

// S4: a context's blocked cycles include "the clock cycles when another context was executing using a shared
// processing slice". Here both have one CTA, which is on the SM or, while the other's is, in storage.
TEST(SharedSm, CyclesInWhichAnotherContextExecutesOnItAreBlocked) {
  MachineConfig config = sharedMachine(1);
  config.contexts.timeSlice = 500;
  Contexts shared(config);
  Context *both[] = {&shared.context({.name = "first"}), &shared.context({.name = "second"})};
  u64 outs[] = {shared.submitWalk(*both[0], 1, 64, 400), shared.submitWalk(*both[1], 1, 64, 400)};
  while (both[1]->launches().empty() || !both[1]->launches()[0].started)
    ASSERT_EQ(shared.device.runUntil(shared.device.cycle() + 10).reason, StopReason::Cycle);
  u64 begin = shared.device.cycle();
  u64 before[] = {both[0]->counts().blockedCycles, both[1]->counts().blockedCycles};
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  for (unsigned i = 0; i < 2; ++i) {
    u64 away = 0, left = 0;
    for (const DeviceEvent &event : shared.events) {
      if (event.context != both[i]->id())
        continue;
      if (event.kind == DeviceEvent::SmSaves)
        left = event.cycle;
      if (event.kind == DeviceEvent::SmRestores && event.cycle > begin)
        away += event.cycle - std::max(left, begin);
    }
    EXPECT_GT(both[i]->counts().saves, 2u);
    EXPECT_EQ(both[i]->counts().blockedCycles - before[i], away) << i;
    shared.expectWalked(*both[i], outs[i], 1, 64, 400);
  }
}

//===--- Partial drains ---------------------------------------------------===//

// S4: "drained or partially drained to minimize the amount of active context state that is unloaded".
TEST(PartialDrain, WhatEndsInTimeIsNotSaved) {
  auto run = [](u64 switching, u64 cycles, u32 steps, u64 &savedBytes, u64 &drains) {
    MachineConfig config = sharedMachine(2);
    config.contexts.switching = switching;
    config.contexts.drainCycles = cycles;
    Contexts shared(config);
    Context &first = shared.context({.name = "first"});
    u64 out = shared.submitWalk(first, 60, 64, steps);
    shared.device.runUntil(1000);
    Context &urgent = shared.context({.name = "urgent", .priority = 1});
    u64 other = shared.submitWalk(urgent, 4, 64, 20);
    EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
    shared.expectWalked(first, out, 60, 64, steps);
    shared.expectWalked(urgent, other, 4, 64, 20);
    savedBytes = first.counts().savedBytes;
    drains = first.counts().drains;
    std::vector<DeviceEvent> begins = shared.eventsOf(DeviceEvent::SmDrains);
    std::vector<DeviceEvent> saves = shared.eventsOf(DeviceEvent::SmSaves);
    if (switching == Config::Partial && savedBytes) {
      EXPECT_EQ(saves[0].cycle, begins[0].cycle + cycles);
    }
  };
  u64 whole, part, none, drains;
  run(Config::Save, 0, 300, whole, drains);
  EXPECT_GT(whole, 0u);
  run(Config::Partial, 500, 300, part, drains);
  EXPECT_GT(part, 0u);
  EXPECT_LE(part, whole);
  run(Config::Partial, 100000, 300, none, drains);
  EXPECT_EQ(none, 0u);
  EXPECT_GT(drains, 0u);
}

//===--- Tiles ------------------------------------------------------------===//

namespace {

/// Each CTA of a 2-D grid stores its SM at its place.
Program whichSm() {
  return assembled(R"(
    .param u32 out
    S2R R0, SR_CTAID.X
    S2R R1, SR_CTAID.Y
    IMAD R0, R1, c[0][12], R0  # the grid's width
    S2R R2, SR_SMID
    SHL R0, R0, 2
    MOV R3, c[0][out]
    IADD R0, R0, R3
    STG [R0], R2
    EXIT
  )");
}

} // namespace

// S4: "the screen space mapping may be changed without requiring any surfaces to be relocated in memory";
// "the sync token includes the mapping information".
TEST(Tiles, ASyncTokenChangesWhichSmHasWhichPartOfTheGrid) {
  Contexts shared(sharedMachine(4));
  Context &context = shared.context();
  Program code = whichSm();
  Launch launch = Contexts::launchOf(code, 8, 1, {0});
  launch.spec.grid = {8, 8};
  std::vector<u64> outs;
  auto map = [&](TileMapping mapping) {
    outs.push_back(shared.buffer(context, 64));
    u32 parameter = u32(outs.back());
    std::memcpy(launch.spec.parameters.data(), &parameter, 4);
    shared.submit(context, SyncToken{mapping});
    shared.submit(context, launch);
  };
  map({2, 2});
  map({4, 1});
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  for (u32 y = 0; y < 8; ++y)
    for (u32 x = 0; x < 8; ++x) {
      EXPECT_EQ(shared.words(context, outs[0], 64)[y * 8 + x], (x / 2 + y / 2) % 4);
      EXPECT_EQ(shared.words(context, outs[1], 64)[y * 8 + x], (x / 4 + y) % 4);
    }
}

// S4: "synchronizing the threads is not the same as draining".
TEST(Tiles, ATokenThatDoesNotDrainMapsTheTilesThatAreNotOutYet) {
  auto run = [](bool drains, TileMapping second, std::vector<u32> &sms) {
    MachineConfig config = sharedMachine(4);
    config.sm.ctas = 1;
    Contexts shared(config);
    Context &context = shared.context();
    Program code = whichSm();
    u64 out = shared.buffer(context, 64);
    Launch launch = Contexts::launchOf(code, 8, 1, {u32(out)});
    launch.spec.grid = {8, 8};
    shared.submit(context, SyncToken{{2, 2}});
    shared.submit(context, std::move(launch));
    shared.submit(context, SyncToken{second, drains});
    EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
    sms = shared.words(context, out, 64);
  };
  std::vector<u32> before, after, free;
  run(true, {4, 1}, before);
  run(false, {4, 1}, after);
  run(false, {}, free);
  unsigned kept = 0;
  for (u32 y = 0; y < 8; ++y)
    for (u32 x = 0; x < 8; ++x) {
      u32 first = (x / 2 + y / 2) % 4, second = (x / 4 + y) % 4, cta = y * 8 + x;
      EXPECT_EQ(before[cta], first);
      bool isOut = y == 0 && x % 2 == 0; // the first of each SM's
      EXPECT_EQ(after[cta], isOut ? first : second) << cta;
      kept += free[cta] == first;
    }
  EXPECT_LT(kept, 64u) << "without a mapping they go where there is room";
}

TEST(Tiles, AContextOfTwoSmsHasItsTilesOnThem) {
  MachineConfig config = sharedMachine(4);
  config.contexts.allocation = Config::Static;
  Contexts shared(config);
  Program code = whichSm();
  std::vector<u64> outs;
  for (int i = 0; i < 2; ++i) {
    Context &context = shared.context();
    Launch launch = Contexts::launchOf(code, 6, 1, {u32(outs.emplace_back(shared.buffer(context, 36)))});
    launch.spec.grid = {6, 6};
    shared.submit(context, SyncToken{{1, 1}});
    shared.submit(context, std::move(launch));
  }
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  for (u32 i = 0; i < 2; ++i) {
    std::vector<u32> sms = shared.words(*shared.device.contexts()[i], outs[i], 36);
    for (u32 k = 0; k < 36; ++k)
      EXPECT_EQ(sms[k] % 2, (k % 6 + k / 6) % 2) << "each has two neighbours";
  }
}

//===--- Faults and kills -------------------------------------------------===//

TEST(Faults, ATrapLeavesTheOthersAsTheyAre) {
  Contexts shared(sharedMachine());
  Context &bad = shared.context({.name = "bad"}), &good = shared.context({.name = "good"});
  shared.submit(bad, Contexts::launchOf(shared.walkCode, 8, 64, {0x20, 50})); // nothing is mapped there
  shared.submit(bad, SemaphoreRelease{1, 1});
  u64 out = shared.submitRelay(good, 12, 8);
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  ASSERT_TRUE(bad.trap());
  EXPECT_EQ(bad.trap()->kind, TrapKind::AddressOutOfRange);
  EXPECT_TRUE(bad.launches()[0].trapped);
  EXPECT_EQ(shared.device.semaphores().value(1), 0u) << "the rest of its stream is gone";
  EXPECT_TRUE(good.alive());
  EXPECT_EQ(shared.words(good, out, 12 * 64), relayed(12, 8));
}

TEST(Faults, TheWatchdogEndsAKernelThatRunsForEver) {
  Program forever = assembled("again: BRA again\n EXIT");
  MachineConfig config = sharedMachine(2);
  config.contexts.watchdog = 30000;
  Contexts shared(config);
  Context &bad = shared.context({.name = "bad"}), &good = shared.context({.name = "good"});
  shared.submit(bad, Contexts::launchOf(forever, 8, 64, {}));
  u64 out = shared.submitRelay(good, 12, 8);
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  ASSERT_TRUE(bad.trap());
  EXPECT_EQ(bad.trap()->kind, TrapKind::Timeout);
  EXPECT_EQ(bad.trap()->detail, "the grid has taken 30000 cycles, its limit, and has not ended");
  EXPECT_LT(*good.launches()[0].ended, *bad.launches()[0].ended) << "it did not starve meanwhile";
  EXPECT_EQ(shared.words(good, out, 12 * 64), relayed(12, 8));
}

//===--- Streams at random ------------------------------------------------===//

namespace {

/// A context's stream by a seed: kernels of both kinds, copies, constants and semaphores that are there.
struct RandomStream {
  RandomStream(Contexts &on, Context &context, u64 seed) : on(on), context(context), random(seed) {
    unsigned launches = 1 + random() % 4;
    for (unsigned i = 0; i < launches; ++i) {
      u32 ctas = 1 + random() % 20, steps = 1 + random() % 12;
      if (random() % 2)
        relays.push_back({on.submitRelay(context, ctas, steps), ctas, steps});
      else
        walks.push_back({on.submitWalk(context, ctas, 64, steps * 8), ctas, steps * 8});
      if (random() % 3 == 0)
        on.submit(context, ConstantUpdate{2, u32(random() % 64) * 4, std::vector<uint8_t>(16, uint8_t(i))});
      if (random() % 3 == 0)
        on.submit(context, SyncToken{{1 + u32(random() % 4), 1}});
      on.submit(context, SemaphoreRelease{context.id(), i + 1});
      if (random() % 4 == 0 && context.id() > 0) // of a context before it, so that nobody waits in a circle
        on.submit(context, SemaphoreAcquire{u32(random() % context.id()), 1});
    }
  }
  bool isRight() {
    for (const auto &[out, ctas, steps] : relays)
      if (on.words(context, out, ctas * 64) != relayed(ctas, steps))
        return false;
    for (const auto &[out, ctas, steps] : walks) {
      std::vector<u32> got = on.words(context, out, ctas * 64);
      for (u32 i = 0; i < got.size(); ++i)
        if (got[i] != walked(i, steps))
          return false;
    }
    return true;
  }

  struct Work {
    u64 out;
    u32 ctas, steps;
  };
  Contexts &on;
  Context &context;
  std::mt19937_64 random;
  std::vector<Work> relays, walks;
};

MachineConfig randomMachine(std::mt19937_64 &random) {
  MachineConfig config = sharedMachine(1 + random() % 5);
  config.contexts.allocation = random() % 2 ? Config::Dynamic : Config::One;
  config.contexts.switching = random() % 2;
  config.contexts.window = 50 + random() % 2000;
  config.contexts.threshold = random() % 500;
  config.contexts.timeSlice = 200 + random() % 3000;
  config.sm.ctas = 1 + random() % 8;
  config.stack.model = random() % 3;
  if (random() % 4 == 0)
    config.timing.model = MachineConfig::Timing::Off;
  config.contexts.perSm = random() % 2 ? 1 : 2 + random() % 3;
  config.contexts.room = config.sm.ctas >= config.contexts.perSm ? random() % 2 : 0;
  config.contexts.issue = random() % 2;
  return config;
}

} // namespace

TEST(RandomContexts, EveryPolicyGivesTheResultsOfEachAlone) {
  for (unsigned round = 0; round < effort(60); ++round) {
    std::mt19937_64 random(round);
    MachineConfig config = randomMachine(random);
    Contexts shared(config);
    unsigned count = 1 + random() % 6;
    std::vector<std::unique_ptr<RandomStream>> streams;
    for (unsigned i = 0; i < count; ++i) {
      if (random() % 2)
        shared.device.runUntil(shared.device.cycle() + random() % 3000);
      Context &context = shared.context({.name = std::to_string(i), .priority = int(random() % 3)});
      streams.push_back(std::make_unique<RandomStream>(shared, context, random()));
    }
    ASSERT_EQ(shared.device.runUntil(20'000'000).reason, StopReason::Finished) << round;
    for (const auto &stream : streams) {
      EXPECT_EQ(stream->context.whyEnded(), "") << round;
      ASSERT_TRUE(stream->isRight()) << "round " << round << ", context " << stream->context.id();
      EXPECT_EQ(stream->context.counts().savedBytes, stream->context.counts().restoredBytes) << round;
    }
  }
}

// With shares that change and a context that faults, too.
TEST(RandomContexts, AKillLeavesTheOthersAsTheyAre) {
  for (unsigned round = 0; round < effort(40); ++round) {
    std::mt19937_64 random(1000 + round);
    Contexts shared(randomMachine(random));
    std::vector<std::unique_ptr<RandomStream>> streams;
    for (unsigned i = 0; i < 4; ++i) {
      Context &context = shared.context({.name = std::to_string(i), .priority = int(random() % 2)});
      streams.push_back(std::make_unique<RandomStream>(shared, context, random()));
    }
    Context &faulty = shared.context({.name = "faulty", .priority = int(random() % 2)});
    for (unsigned change = 0; change < 4; ++change) {
      shared.device.runUntil(shared.device.cycle() + 1 + random() % 2000);
      if (change == 1)
        shared.submit(faulty, Contexts::launchOf(shared.walkCode, 4, 64, {0x20, 50})); // nothing is there
      Context &one = streams[random() % 4]->context;
      cantFail(shared.device.share(one, {.priority = int(random() % 3), .sms = {}}));
    }
    Context &victim = streams[3]->context; // nobody waits for the last one
    shared.device.kill(victim, "killed by a test");
    ASSERT_EQ(shared.device.runUntil(20'000'000).reason, StopReason::Finished) << round;
    EXPECT_FALSE(faulty.alive());
    EXPECT_FALSE(victim.alive());
    EXPECT_FALSE(victim.grid());
    EXPECT_TRUE(victim.pushbuffer().empty());
    for (unsigned i = 0; i < 3; ++i)
      ASSERT_TRUE(streams[i]->isRight()) << "round " << round << ", context " << i;
  }
}

TEST(RandomContexts, TheSameSubmissionsTakeTheSameCycles) {
  auto history = [](u64 seed) {
    std::mt19937_64 random(seed);
    Contexts shared(randomMachine(random));
    std::vector<std::unique_ptr<RandomStream>> streams;
    for (unsigned i = 0; i < 3; ++i)
      streams.push_back(std::make_unique<RandomStream>(shared, shared.context(), random()));
    shared.device.run();
    std::vector<u64> numbers = {shared.device.cycle()};
    for (const DeviceEvent &event : shared.events)
      numbers.insert(numbers.end(), {event.cycle, u64(event.kind), event.context, event.sm, event.amount});
    return numbers;
  };
  for (u64 seed = 0; seed < 6; ++seed)
    EXPECT_EQ(history(seed), history(seed));
}
