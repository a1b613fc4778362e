#include "DeviceHarness.h"
#include <set>

// S4: elements that hold the state of several contexts (contexts.perSm).
using namespace leno;
using namespace leno::test;
using Config = MachineConfig::Contexts;

namespace {

MachineConfig machineOf(u64 sms, u64 perSm) {
  MachineConfig config = sharedMachine(sms);
  config.contexts.perSm = perSm;
  config.contexts.timeSlice = 0;
  return config;
}

/// The SMs that a context owns places on, in order.
std::vector<size_t> smsOf(const Machine &machine, const Context &context) {
  std::vector<size_t> sms;
  for (size_t i = 0; i < machine.places().size(); ++i)
    if (machine.places()[i].owner == &context)
      sms.push_back(i / machine.placesPerSm());
  return sms;
}

std::string errorOf(llvm::Expected<Context *> context) {
  return context ? "" : llvm::toString(context.takeError());
}

/// Warps that follow a chain through memory: each word is the address of the next. Parameters are the chain,
/// whose links are 128 bytes apart, a quarter of the steps and the output.
Program chase() {
  return assembled(R"(
    .param u32 chain
    .param u32 steps
    .param u32 out
    S2R R0, SR_TID.X
    S2R R1, SR_CTAID.X
    IMAD R0, R1, c[0][0], R0
    SHL R2, R0, 2
    MOV R6, c[0][out]
    IADD R6, R6, R2
    LOP.and R3, R2, 0xffffff80   # a link for each warp
    MOV R7, c[0][chain]
    IADD R3, R3, R7
    MOV R5, c[0][steps]
  loop:
    LDG R3, [R3]
    LDG R3, [R3]
    LDG R3, [R3]
    LDG R3, [R3]
    IADD R5, R5, -1
    ISETP.ne P0, R5, 0
    @P0 BRA loop
    STG [R6], R3
    EXIT
  )");
}

} // namespace

// S4: "a first context is mapped to 8 of the 8 context processing elements ..., a second context is mapped to
// 4 of the 8 ..., a third context is mapped to 2 of the remaining 4 ... and a fourth context is mapped to the
// remaining 2". (It calls them five contexts.)
TEST(SharedSms, EightElementsOfTwoContextsEachHoldFourAs8And4And2And2) {
  MachineConfig config = machineOf(8, 2);
  config.contexts.allocation = Config::Static;
  Contexts shared(config);
  std::vector<Context *> contexts;
  std::vector<u64> outs;
  const u64 asked[] = {8, 4, 2, 2};
  for (u64 sms : asked) {
    contexts.push_back(&shared.context({.name = std::to_string(contexts.size()), .sms = sms}));
    outs.push_back(shared.submitWalk(*contexts.back(), u32(sms), 64, 200));
  }
  shared.device.runUntil(500);
  std::vector<size_t> rest;
  for (unsigned i = 0; i < 4; ++i) {
    std::vector<size_t> sms = smsOf(shared.device, *contexts[i]);
    EXPECT_EQ(sms.size(), asked[i]);
    EXPECT_EQ(std::set(sms.begin(), sms.end()).size(), asked[i]) << "a context has one place on an SM";
    EXPECT_EQ(contexts[i]->sms(), asked[i]) << "all run at once";
    if (i > 0)
      rest.insert(rest.end(), sms.begin(), sms.end());
  }
  std::sort(rest.begin(), rest.end());
  EXPECT_EQ(rest, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6, 7})) << "the second places of all";
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  for (unsigned i = 0; i < 4; ++i)
    shared.expectWalked(*contexts[i], outs[i], u32(asked[i]), 64, 200);
}

TEST(SharedSms, WhoAsksForMoreThanThereAreIsRefused) {
  MachineConfig config = machineOf(4, 2);
  config.contexts.allocation = Config::Static;
  Machine machine(config, widest());
  EXPECT_FALSE(errorOf(machine.createContext({.name = "wide", .sms = 5})).empty()) << "two of one SM";
  cantFail(machine.createContext({.name = "a", .sms = 4}));
  cantFail(machine.createContext({.name = "b", .sms = 4}));
  EXPECT_EQ(errorOf(machine.createContext({.name = "c"})),
            "there is no SM left for context 'c': of 4 SMs for 2 contexts each the 2 contexts before it have "
            "all; raise sm.count, ask for fewer, or let contexts.allocation be dynamic");
}

// A context gets places on SMs where it has none, whatever stands in the way.
TEST(SharedSms, ChangingPartsKeepAContextOncePerSm) {
  std::mt19937_64 random(7);
  for (unsigned round = 0; round < 40; ++round) {
    u64 sms = 1 + random() % 6, perSm = 1 + random() % 4;
    MachineConfig config = machineOf(sms, perSm);
    config.contexts.allocation = Config::Static;
    Contexts shared(config);
    unsigned count = 1 + unsigned(random() % std::min<u64>(sms * perSm, 5));
    std::vector<Context *> contexts;
    for (unsigned i = 0; i < count; ++i)
      contexts.push_back(&shared.context());
    for (unsigned change = 0; change < 12; ++change) {
      Context &one = *contexts[random() % count];
      llvm::consumeError(
          shared.device.share(one, {.priority = int(random() % 3), .sms = random() % (sms + 1)}));
      shared.submitWalk(one, 3, 64, 20);
      shared.device.runUntil(shared.device.cycle() + random() % 400);
      for (Context *context : contexts) {
        std::vector<size_t> owned = smsOf(shared.device, *context);
        ASSERT_EQ(std::set(owned.begin(), owned.end()).size(), owned.size()) << round;
        ASSERT_EQ(owned.size(), context->smsGranted()) << round;
        ASSERT_GE(owned.size(), 1u) << round;
      }
    }
    ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  }
}

// S4: programs whose bounds differ "execute concurrently" on the same elements. Both have half of an SM's
// warps and take equally long alone.
TEST(SharedSms, AMemoryBoundAndAnAluBoundContextFillEachOthersGaps) {
  auto run = [](u64 allocation, u64 perSm, u32 steps, u32 loads) {
    MachineConfig config = machineOf(2, perSm);
    config.contexts.allocation = allocation;
    config.l2.model = MachineConfig::L2::Slices;
    config.l2.slices = 2;
    config.device.launchCycles = 0;
    Contexts shared(config);
    Program chases = chase();
    Context &alu = shared.context({.name = "alu"}), &memory = shared.context({.name = "memory"});
    u64 walked = 0;
    if (steps)
      walked = shared.submitWalk(alu, 2, 384, steps); // 12 warps of 24
    constexpr u32 links = 4096;                       // more than the slices hold
    u64 at = shared.buffer(memory, links * 32), out = shared.buffer(memory, 768);
    std::vector<u32> chain(links * 32);
    for (u32 i = 0; i < links; ++i)
      chain[i * 32] = u32(at) + (i * 5 + 1) % links * 128;
    cantFail(memory.memory().write(at, {reinterpret_cast<uint8_t *>(chain.data()), links * 128}));
    if (loads)
      shared.submit(memory, Contexts::launchOf(chases, 2, 384, {u32(at), loads, u32(out)}));
    EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
    if (steps)
      shared.expectWalked(alu, walked, 2, 384, steps);
    if (loads) {
      std::vector<u32> got = shared.words(memory, out, 768);
      for (u32 i = 0; i < 768; ++i) {
        u32 link = i / 32;
        for (u32 k = 0; k < loads * 4; ++k)
          link = (link * 5 + 1) % links;
        EXPECT_EQ(got[i], at + link * 128);
      }
    }
    return shared.device.cycle();
  };
  const u32 loads = 10;
  u64 memory = run(Config::Dynamic, 1, 0, loads);
  u32 steps = 1;
  while (run(Config::Dynamic, 1, steps, 0) < memory)
    steps += 1 + steps / 20;
  u64 alu = run(Config::Dynamic, 1, steps, 0);
  EXPECT_LT(double(alu), 1.1 * double(memory)) << "equally long alone";
  u64 serial = run(Config::One, 1, steps, loads), both = run(Config::Dynamic, 2, steps, loads);
  RecordProperty("of_serial", std::to_string(double(both) / double(serial)));
  EXPECT_LE(double(both), 0.6 * double(serial)) << both << " of " << serial;
}

// S1: an SM has one L1 and one TLB, and contexts on it share them. What fits for one alone, and half as much
// of each of two, is read once; two that want all of it find nothing.
TEST(SharedSms, ContextsShareTheL1AndTheTlbOfAnSm) {
  constexpr u32 loads = 20; // four times as many
  enum { Hits, Misses };
  auto run = [&](u32 contexts, u32 links, u32 linkBytes, const char *table) {
    MachineConfig config = machineOf(1, 2);
    config.l1.model = MachineConfig::L1::Cache;
    config.l1.bytes = 16 * 128, config.l1.ways = 16;
    config.tlb.model = MachineConfig::Tlb::Buffer;
    config.tlb.entries = config.tlb.ways = 16;
    Contexts shared(config);
    Program chases = chase();
    for (u32 i = 0; i < contexts; ++i) {
      Context &one = shared.context();
      u64 at = shared.buffer(one, links * linkBytes / 4), out = shared.buffer(one, 32);
      std::vector<u32> chain(links * linkBytes / 4);
      for (u32 link = 0; link < links; ++link)
        chain[link * linkBytes / 4] = u32(at) + (link + 1) % links * linkBytes;
      cantFail(one.memory().write(at, {reinterpret_cast<uint8_t *>(chain.data()), chain.size() * 4}));
      shared.submit(one, Contexts::launchOf(chases, 1, 32, {u32(at), loads, u32(out)}));
    }
    EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
    std::vector<u64> misses;
    for (const auto &one : shared.device.contexts())
      for (const CountTable &counts : one->memoryCounts().models)
        if (counts.key == llvm::StringRef(table)) {
          EXPECT_GE(counts.rows[0][Hits] + counts.rows[0][Misses], 1u);
          misses.push_back(counts.rows[0][Misses]);
        }
    return misses;
  };
  EXPECT_EQ(run(1, 16, 128, "l1BySm"), (std::vector<u64>{16}));
  EXPECT_EQ(run(2, 8, 128, "l1BySm"), (std::vector<u64>{8, 8}));
  EXPECT_EQ(run(2, 16, 128, "l1BySm"), (std::vector<u64>{4 * loads, 4 * loads}));
  // A page of each link, and one of the output.
  EXPECT_EQ(run(1, 15, 4096, "tlbBySm"), (std::vector<u64>{16}));
  EXPECT_EQ(run(2, 7, 4096, "tlbBySm"), (std::vector<u64>{8, 8}));
  for (u64 misses : run(2, 15, 4096, "tlbBySm"))
    EXPECT_GT(misses, 3 * loads);
}

// S4: blocked is a context also while "another context was executing using a shared processing slice".
TEST(SharedSms, AReadyWarpThatWaitsForTheOthersTurnIsBlocked) {
  for (u64 timing : {MachineConfig::Timing::Cycles, MachineConfig::Timing::Off}) {
    MachineConfig config = machineOf(1, 2);
    config.timing.model = timing;
    config.scheduler.quantum = 10;
    Contexts shared(config);
    Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
    u64 outs[] = {shared.submitWalk(first, 1, 32, 500), shared.submitWalk(second, 1, 32, 500)};
    while (second.launches().empty() || !second.launches()[0].started)
      ASSERT_EQ(shared.device.runUntil(shared.device.cycle() + 1).reason, StopReason::Cycle);
    u64 begin = shared.device.cycle(),
        before[] = {first.counts().blockedCycles, second.counts().blockedCycles};
    u64 ran = first.counts().instructions;
    shared.device.runUntil(begin + 2000);
    u64 issued = first.counts().instructions - ran;
    EXPECT_NEAR(double(issued), 1000, 12) << "half of the SM's cycles";
    EXPECT_NEAR(double(first.counts().blockedCycles - before[0]), 1000, 24) << "the other half it is blocked";
    EXPECT_NEAR(double(second.counts().blockedCycles - before[1]), 1000, 24);
    ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
    shared.expectWalked(first, outs[0], 1, 32, 500);
    shared.expectWalked(second, outs[1], 1, 32, 500);
  }
}

// S4's virtual channels: a switch "to a different context when the active context is blocked".
TEST(SharedSms, AVirtualChannelIsLeftWhenItIsBlocked) {
  auto ends = [](u64 issue) {
    MachineConfig config = machineOf(1, 2);
    config.contexts.issue = issue;
    Contexts shared(config);
    Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
    shared.submitWalk(first, 1, 32, 500); // never blocked
    shared.submitWalk(second, 1, 32, 500);
    EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
    return std::pair(*first.launches()[0].ended, *second.launches()[0].ended);
  };
  auto [turnsFirst, turnsSecond] = ends(Config::InTurn);
  auto [blockedFirst, blockedSecond] = ends(Config::WhenBlocked);
  EXPECT_LT(turnsSecond - turnsFirst, 110u) << "they go side by side";
  EXPECT_GT(blockedSecond - blockedFirst, 1700u) << "the second runs when the first is done";
  EXPECT_LE(std::max(blockedFirst, blockedSecond), turnsSecond + 10) << "and nothing is lost";
}

TEST(SharedSms, AContextAloneHasAllOfAnSmAndMakesRoomForAnother) {
  Contexts shared(machineOf(1, 2));
  Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
  u64 many = shared.submitWalk(first, 40, 128, 60); // 4 warps of 24
  shared.device.runUntil(300);
  EXPECT_EQ(first.grid()->residentCtas().size(), 6u);
  u64 wide = shared.submitWalk(second, 3, 512, 60); // 16 warps: more than half
  while (second.launches().empty() || !second.launches()[0].started)
    ASSERT_EQ(shared.device.runUntil(shared.device.cycle() + 1).reason, StopReason::Cycle);
  EXPECT_LE(first.grid()->residentCtas().size(), 2u) << "it took no more until the other had come";
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_LT(*second.launches()[0].ended, *first.launches()[0].ended);
  shared.expectWalked(first, many, 40, 128, 60);
  shared.expectWalked(second, wide, 3, 512, 60);
}

TEST(SharedSms, DividedRoomIsThereAtOnce) {
  MachineConfig config = machineOf(1, 2);
  config.contexts.room = Config::Divided;
  Contexts shared(config);
  Context &first = shared.context({.name = "first"}), &second = shared.context({.name = "second"});
  u64 many = shared.submitWalk(first, 40, 128, 600);
  shared.device.runUntil(300);
  EXPECT_EQ(first.grid()->residentCtas().size(), 3u);
  u64 out = shared.submitWalk(second, 1, 384, 60);
  ASSERT_EQ(shared.device.run().reason, StopReason::Finished);
  EXPECT_LT(second.launches()[0].startLatency(), 110u);
  shared.expectWalked(first, many, 40, 128, 600);
  shared.expectWalked(second, out, 1, 384, 60);
  llvm::Error error = shared.device.submit(second, Contexts::launchOf(shared.walkCode, 1, 416, {0, 1}));
  EXPECT_EQ(
      llvm::toString(std::move(error)),
      "a block of 416 x 1 x 1 threads does not fit: a multiprocessor holds 12 warps, 384 threads (that is "
      "the part of a multiprocessor that contexts.room=divided gives to each of 2 contexts)");
  config.contexts.perSm = 9;
  EXPECT_EQ(llvm::toString(config.check()),
            "contexts.room=divided: an SM of 24 warps and 8 CTAs has no part for each of 9 contexts; raise "
            "sm.warps or sm.ctas, or lower contexts.perSm");
}

// S0's port of an SM is one, whoever's warps use it.
TEST(SharedSms, StacksOfAllContextsGoThroughTheSmsOnePort) {
  Program deep = assembled(R"(
        MOV R0, 40
  again:
        CAL down
        IADD R0, R0, -1
        ISETP.ne P0, R0, 0
  @P0   BRA again
        EXIT
  down: CAL further
        RET
  further:
        RET
  )");
  auto cycles = [&](u64 sms, u64 perSm) {
    MachineConfig config = machineOf(sms, perSm);
    config.stack.model = MachineConfig::Stack::Memory;
    config.timing.memoryInterval = 400;
    config.timing.postedWrites = 1;
    Contexts shared(config);
    for (unsigned i = 0; i < 2; ++i)
      shared.submit(shared.context(), Contexts::launchOf(deep, 1, 32, {}));
    EXPECT_EQ(shared.device.run().reason, StopReason::Finished);
    return shared.device.cycle();
  };
  EXPECT_GT(double(cycles(1, 2)), 1.5 * double(cycles(2, 1))) << "two on one SM wait for each other";
}
