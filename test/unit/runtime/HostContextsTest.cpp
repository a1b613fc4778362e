// Several contexts on one machine, as a program outside of the tree meets them.
#include "Says.h"
#include "StepKernel.h"
#include "leno/Leno.h"
#include "test/unit/Effort.h"

#include "gtest/gtest.h"
#include <memory>
#include <optional>
#include <random>
#include <thread>

namespace {

using Words = std::vector<std::uint32_t>;
constexpr std::uint32_t Traps = 0xdead;

leno::LaunchConfig over(std::uint32_t count) { return {.grid = {(count + 63) / 64}, .block = {64}}; }

class HostContexts : public testing::Test {
protected:
  HostContexts() { make({"sm.count=4", "timing.model=cycles"}); }
  void make(std::initializer_list<std::string> settings) {
    device.emplace(leno::Device::create(settings).orExit());
  }
  leno::Context context(const std::string &name, int priority = 0) {
    return device->createContext({.name = name, .priority = priority}).orExit();
  }

  leno::Module module = leno::Module::assemble(StepKernel, "step.s").orExit();
  leno::Kernel step = module.kernel("step").orExit();
  std::optional<leno::Device> device;
};

} // namespace

TEST_F(HostContexts, AStreamIsInOrder) {
  leno::Context a = context("a");
  leno::Buffer x = a.upload(Words(100, 1), "x").orExit();
  leno::Buffer y = a.allocate<std::uint32_t>(100, "y").orExit();
  Words first(100), second(100), third(10);
  auto launch = a.launch(step, over(100), x, 100u, 3u, 1u).orExit(); // 1 * 3 + 1
  a.download(x, first).orExit();
  a.setConstant(module, 2, 0, 10u).orExit();
  a.copy(x, 0, y, 0, 400).orExit();
  a.launch(step, over(100), x, 100u, 2u, 1u).orExit(); // 4 * 2 + 10
  a.download(x, second).orExit();
  a.upload(y, Words(10, 9), 5).orExit();
  a.download(y, third, 0).orExit();

  EXPECT_EQ(device->cycle(), 0u); // nothing has run
  EXPECT_FALSE(launch.isDone());
  EXPECT_FALSE(a.isIdle());
  EXPECT_FALSE(launch.cycles().decoded);
  a.synchronize().orExit();
  EXPECT_TRUE(a.isIdle());
  EXPECT_EQ(first, Words(100, 4));
  EXPECT_EQ(second, Words(100, 18));
  EXPECT_EQ(third, (Words{4, 4, 4, 4, 4, 9, 9, 9, 9, 9}));
  EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(100, 18));
  EXPECT_EQ(a.counts().commands, 8u);
  EXPECT_EQ(launch.wait().orExit().warpInstructions, 4 * 20u);
  EXPECT_LT(*launch.cycles().decoded, *launch.cycles().started);
  EXPECT_LT(*launch.cycles().started, *launch.cycles().ended);
  EXPECT_EQ(launch.cycles().startLatency(), 101u); // 1 + device.launchCycles
}

TEST_F(HostContexts, AnUrgentContextDoesNotWaitForALongOne) {
  leno::Context busy = context("busy"), urgent = context("urgent", 1);
  leno::Buffer x = busy.upload(Words(64 * 64, 1), "x").orExit(),
               y = urgent.upload(Words(64, 5), "y").orExit();
  auto slow = busy.launch(step, over(64 * 64), x, 64u * 64, 1u, 20000u).orExit();
  EXPECT_EQ(device->run(5000).orExit(), leno::RunStop::Cycle);
  EXPECT_EQ(device->cycle(), 5000u);
  auto soon = urgent.launch(step, over(64), y, 64u, 2u, 1u).orExit();
  EXPECT_TRUE(soon.wait().orExit().finished());
  EXPECT_FALSE(slow.isDone());
  EXPECT_LT(soon.cycles().startLatency(), 2000u);
  EXPECT_EQ(y.download<std::uint32_t>().orExit(), Words(64, 11));
  EXPECT_GT(busy.counts().saves, 0u);
  device->runUntilIdle().orExit();
  EXPECT_TRUE(slow.isDone());
  EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(64 * 64, 2));
  EXPECT_EQ(device->run(100).orExit(), leno::RunStop::Idle);
}

TEST_F(HostContexts, TheSameCallsTakeTheSameCycles) {
  auto once = [&] {
    make({"sm.count=3", "timing.model=cycles", "contexts.window=500", "contexts.threshold=100"});
    std::vector<std::string> events;
    device->onEvent([&](const leno::ContextEvent &event) { events.push_back(event.text); }).orExit();
    leno::Context a = context("a"), b = context("b", 1);
    leno::Buffer x = a.allocate<std::uint32_t>(1000).orExit(), y = b.allocate<std::uint32_t>(1000).orExit();
    for (std::uint32_t i = 0; i < 5; ++i) {
      a.launch(step, over(1000), x, 1000u, i, 100u).orExit();
      (void)device->run(777).orExit();
      b.launch(step, over(1000), y, 1000u, i, 10u).orExit();
      b.synchronize().orExit();
    }
    device->runUntilIdle().orExit();
    events.push_back(std::to_string(device->cycle()));
    return events;
  };
  std::vector<std::string> first = once();
  EXPECT_GT(first.size(), 20u);
  EXPECT_EQ(first, once());
}

TEST_F(HostContexts, SemaphoresOrderStreams) {
  leno::Context a = context("a"), b = context("b");
  leno::Buffer x = a.upload(Words(64, 1), "x").orExit();
  b.acquire(7, 2).orExit();
  auto later = b.launch(step, over(0), x, 0u, 0u, 1u);
  EXPECT_SAYS(later, "belongs to context 'a'"); // and the stream goes on
  b.release(8, 1).orExit();
  a.launch(step, over(64), x, 64u, 1u, 500u).orExit();
  a.release(7, 2).orExit();
  b.synchronize().orExit();
  EXPECT_EQ(device->semaphore(8), 1u);
  EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(64, 2));

  a.acquire(8, 5).orExit();
  b.acquire(9, 1).orExit();
  EXPECT_SAYS(a.synchronize(),
              "context 'a' cannot go on: context 'a' waits for "
              "semaphore 8 to reach 5, and it is 1; context 'b' waits for semaphore 9 to reach 1");
  EXPECT_SAYS(device->runUntilIdle(), "the contexts wait for what will not come: context 'a'");
  EXPECT_EQ(device->run(10).orExit(), leno::RunStop::Stuck);
  device->release(8, 5).orExit(); // the host does
  a.synchronize().orExit();
  EXPECT_EQ(device->waits(), "context 'b' waits for semaphore 9 to reach 1, and it is 0");
}

TEST_F(HostContexts, ATrapEndsItsContextAlone) {
  leno::Context bad = context("bad"), good = context("good");
  leno::Buffer x = bad.upload(Words(64, 1), "x").orExit(), y = good.upload(Words(64, 1), "y").orExit();
  auto fine = bad.launch(step, over(64), x, 64u, 1u, 1u).orExit();
  auto traps = bad.launch(step, over(64), x, 64u, Traps, 1u).orExit();
  auto never = bad.launch(step, over(64), x, 64u, 1u, 1u).orExit();
  auto other = good.launch(step, over(64), y, 64u, 4u, 1000u).orExit();
  EXPECT_SAYS(bad.synchronize(), "context 'bad' has ended: kernel 'step': ADDRESS_OUT_OF_RANGE at wait+0x");
  EXPECT_TRUE(fine.wait().orExit().finished());
  leno::LaunchResult result = traps.wait().orExit();
  ASSERT_TRUE(result.trap);
  EXPECT_EQ(result.trap->kind, "ADDRESS_OUT_OF_RANGE");
  EXPECT_EQ(result.trap->line, 25u);
  EXPECT_SAYS(never.wait(),
              "kernel 'step' did not run: context 'bad' has ended: kernel 'step': ADDRESS_OUT_OF");
  EXPECT_TRUE(never.isDone());
  EXPECT_SAYS(bad.status(), "ADDRESS_OUT_OF_RANGE");
  EXPECT_SAYS(bad.launch(step, over(64), x, 64u, 1u, 1u),
              "context 'bad' has ended: kernel 'step': ADDRESS_OUT");
  EXPECT_SAYS(bad.release(1, 1), "context 'bad' has ended");
  EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(64, 2)); // what had been stored by then

  good.synchronize().orExit();
  EXPECT_TRUE(other.wait().orExit().finished());
  EXPECT_EQ(y.download<std::uint32_t>().orExit(), Words(64, 5));
}

TEST_F(HostContexts, AWatchdogAndAKillSaySo) {
  leno::Context slow = device->createContext({.name = "slow", .watchdog = 3000}).orExit(),
                killed = context("killed");
  leno::Buffer x = slow.allocate<std::uint32_t>(64).orExit(), y = killed.allocate<std::uint32_t>(64).orExit();
  auto first = slow.launch(step, over(64), x, 64u, 1u, 1u << 20).orExit();
  auto second = killed.launch(step, over(64), y, 64u, 1u, 1u << 20).orExit();
  EXPECT_EQ(device->run(2000).orExit(), leno::RunStop::Cycle);
  device->kill(killed, "somebody has asked for it").orExit();
  EXPECT_SAYS(killed.status(), "context 'killed' has ended: kernel 'step': TIMEOUT");
  EXPECT_SAYS(killed.status(), "somebody has asked for it");
  EXPECT_EQ(second.wait().orExit().trap->kind, "TIMEOUT");
  EXPECT_SAYS(slow.synchronize(), "the grid has taken 3000 cycles, its limit, and has not ended");
  EXPECT_EQ(first.wait().orExit().trap->kind, "TIMEOUT");
  leno::Context idle = context("idle");
  device->kill(idle).orExit();
  EXPECT_SAYS(idle.status(), "context 'idle' has ended: the host has killed it");
  device->runUntilIdle().orExit();
}

TEST_F(HostContexts, MistakesAreTold) {
  leno::Context a = context("a"), b = context("b");
  leno::Buffer x = a.allocate<std::uint32_t>(64, "x").orExit(),
               y = b.allocate<std::uint32_t>(64, "y").orExit();
  EXPECT_SAYS(a.launch(step, over(64), y, 64u, 1u, 1u),
              "kernel 'step': argument 1 for parameter 'out', the buffer 'y', belongs to context 'b'");
  EXPECT_SAYS(a.launch(step, over(64), x, 64u, 1u), "takes 4 arguments, not 3");
  EXPECT_SAYS(a.launch(step, {.grid = {}, .block = {5000}}, x, 64u, 1u, 1u), "kernel 'step': ");
  EXPECT_SAYS(a.write(y, 0, {}), "the buffer 'y' belongs to context 'b', not to context 'a'");
  EXPECT_SAYS(a.upload(x, Words(65)),
              "cannot write buffer 'x': 260 bytes at byte 0 pass its end (256 bytes)");
  EXPECT_SAYS(a.setConstant(module, 3, 0, 1u), "the module has no constants there (.const 3)");
  EXPECT_SAYS(a.syncToken(0, 4), "a tile of 0 x 4 CTAs is empty");
  EXPECT_SAYS(a.allocate(0), "");
  EXPECT_SAYS(leno::Device::create({"contexts.alocation=one"}), "did you mean");
  leno::Device alone = leno::Device::create().orExit();
  leno::Buffer far = alone.allocate(4, "far").orExit();
  EXPECT_SAYS(a.launch(step, over(1), far, 1u, 1u, 1u), "'far', belongs to another device");
  EXPECT_SAYS(leno::launch(alone, step, over(1), x, 1u, 1u, 1u), "'x', belongs to another device");
  a.synchronize().orExit(); // none of it was taken
  EXPECT_EQ(a.counts().commands, 0u);

  make({"contexts.allocation=static", "sm.count=2"});
  auto half = device->createContext({.name = "half", .sms = 2}).orExit();
  EXPECT_SAYS(device->createContext({.name = "other"}), "there is no SM left for context 'other'");
  {
    leno::Context gone = std::move(half);
  }
  EXPECT_TRUE(device->createContext({.name = "other"})); // its part is free again
  EXPECT_SAYS(half.status(), "the context was moved from");
}

TEST_F(HostContexts, ADeviceMayGoBeforeItsContexts) {
  auto a = std::make_unique<leno::Context>(context("a"));
  leno::Buffer x = a->upload(Words(64, 1), "x").orExit();
  auto launch = a->launch(step, over(64), x, 64u, 1u, 1u).orExit();
  device.reset();
  EXPECT_SAYS(a->synchronize(), "its device is gone");
  EXPECT_SAYS(a->launch(step, over(64), x, 64u, 1u, 1u), "its device is gone");
  EXPECT_SAYS(a->allocate(4), "cannot allocate 'buffer': its context is gone");
  EXPECT_SAYS(x.download<std::uint32_t>(), "cannot read buffer 'x': its context is gone");
  EXPECT_FALSE(x.valid());
  EXPECT_TRUE(launch.isDone());
  EXPECT_SAYS(launch.wait(), "kernel 'step' did not run: ");
  EXPECT_TRUE(a->isIdle());
  a.reset();
  x.free();
}

TEST_F(HostContexts, AContextMayGoBeforeItsDevice) {
  leno::Context left = context("left");
  leno::Buffer y = left.upload(Words(64, 1), "y").orExit(), x;
  std::optional<leno::PendingLaunch> launch;
  {
    leno::Context a = context("a");
    x = a.upload(Words(64, 1), "x").orExit();
    launch = a.launch(step, over(64), x, 64u, 1u, 1u << 20).orExit();
    left.launch(step, over(64), y, 64u, 6u, 3000u).orExit();
    EXPECT_EQ(device->run(1000).orExit(), leno::RunStop::Cycle);
  }
  EXPECT_SAYS(x.download<std::uint32_t>(), "cannot read buffer 'x': its context is gone");
  EXPECT_EQ(launch->wait().orExit().trap->kind, "TIMEOUT");
  device->runUntilIdle().orExit();
  EXPECT_EQ(y.download<std::uint32_t>().orExit(), Words(64, 7));
}

TEST_F(HostContexts, BuffersMayBeFreedWhileCommandsUseThem) {
  leno::Context a = context("a");
  Words seen(64);
  {
    leno::Buffer x = a.upload(Words(64, 1), "x").orExit();
    leno::Module copy = leno::Module::assemble(std::string(StepKernel), "copy.s").orExit();
    a.launch(copy.kernel("step").orExit(), over(64), x, 64u, 3u, 100u).orExit();
    a.download(x, seen).orExit();
  } // the module and the buffer go
  EXPECT_GT(a.bytesAllocated(), 0u);
  a.synchronize().orExit();
  EXPECT_EQ(seen, Words(64, 4));
  EXPECT_EQ(a.bytesAllocated(), 0u);
}

TEST_F(HostContexts, EventsAreToldAndMayLookButNotTouch) {
  leno::Context a = context("a");
  leno::Buffer x = a.upload(Words(64, 1), "x").orExit();
  std::vector<std::string> kinds;
  device
      ->onEvent([&](const leno::ContextEvent &event) {
        kinds.push_back(event.kind);
        EXPECT_EQ(event.context, "a");
        EXPECT_EQ(event.cycle, device->cycle());
        (void)a.counts();
        EXPECT_SAYS(device->run(1), "the machine tells an event");
        EXPECT_SAYS(a.release(1, 1), "the machine tells an event");
        EXPECT_SAYS(x.download<std::uint32_t>(), "cannot read buffer 'x': the machine tells an event");
      })
      .orExit();
  a.launch(step, over(64), x, 64u, 1u, 1u).orExit();
  device->runUntilIdle().orExit();
  device->onEvent(nullptr).orExit();
  EXPECT_EQ(kinds.front(), "ContextChange");
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "GridStarts"), 1);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "GridEnds"), 1);
}

TEST_F(HostContexts, PagesOnDemandFault) {
  make({"timing.model=cycles", "sm.count=2"});
  leno::Context a = context("a");
  leno::Buffer x = a.allocateOnDemand(64 * 4, "x").orExit();
  x.upload(Words(64, 1)).orExit();
  a.launch(step, over(64), x, 64u, 1u, 1u).orExit();
  a.synchronize().orExit();
  EXPECT_EQ(a.counts().pageFaults, 1u);
  EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(64, 2));
}

TEST_F(HostContexts, StatisticsAreOfTheLaunch) {
  leno::Context a = context("a");
  leno::Buffer x = a.upload(Words(100, 1), "x").orExit();
  leno::LaunchConfig config = over(100);
  config.statistics = true;
  auto launch = a.launch(step, config, x, 100u, 1u, 1u).orExit();
  leno::LaunchResult result = launch.wait().orExit();
  ASSERT_TRUE(result.statistics);
  EXPECT_EQ(result.statistics->ctas, 2u);
  EXPECT_EQ(result.statistics->globalBytesStored, 400u);
  EXPECT_EQ(result.statistics->warpInstructions, result.warpInstructions);
}

TEST_F(HostContexts, HostThreadsMayShareIt) {
  std::vector<leno::Context> contexts;
  std::vector<leno::Buffer> buffers;
  for (int i = 0; i < 4; ++i) {
    contexts.push_back(context("t" + std::to_string(i)));
    buffers.push_back(contexts.back().upload(Words(256, 1)).orExit());
  }
  std::vector<std::thread> threads;
  for (size_t i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int turn = 0; turn < 10; ++turn) {
        auto launch = contexts[i].launch(step, over(256), buffers[i], 256u, 2u, 20u).orExit();
        EXPECT_TRUE(launch.wait().orExit().finished());
        EXPECT_EQ(buffers[i].download<std::uint32_t>().orExit(),
                  Words(256, (2u << turn) + (1u << (turn + 1)) - 1));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

//===--- Random kills and traps leave the others untouched --------------------===//

namespace {

/// What a context computes, in plain C++.
Words model(const std::vector<std::uint32_t> &factors, size_t steps) {
  Words data(200);
  for (std::uint32_t i = 0; i < data.size(); ++i)
    data[i] = i;
  for (size_t s = 0; s < steps; ++s)
    for (std::uint32_t &word : data)
      word = word * factors[s] + std::uint32_t(s);
  return data;
}

} // namespace

TEST_F(HostContexts, RandomKillsAndTrapsLeaveTheOthersUntouched) {
  std::mt19937 random(1234);
  auto pick = [&](unsigned count) { return std::uint32_t(random() % count); };
  const char *allocations[] = {"one", "static", "dynamic"}, *switches[] = {"drain", "save"};
  for (unsigned round = 0; round < leno::test::effort(100); ++round) {
    make({"sm.count=" + std::to_string(5 + pick(3)),
          "timing.model=" + std::string(pick(3) ? "cycles" : "off"),
          "contexts.allocation=" + std::string(allocations[pick(3)]),
          "contexts.switch=" + std::string(switches[pick(2)]),
          "contexts.timeSlice=" + std::to_string(300 + pick(3000)),
          "contexts.window=" + std::to_string(200 + pick(2000))});
    size_t count = 2 + pick(3), steps = 1 + pick(4);
    std::vector<leno::Context> contexts;
    std::vector<leno::Buffer> buffers;
    std::vector<std::vector<std::uint32_t>> factors(count);
    for (size_t i = 0; i < count; ++i) {
      contexts.push_back(context(std::to_string(i), int(pick(3))));
      buffers.push_back(contexts[i].upload(model({}, 0)).orExit());
      for (size_t s = 0; s < steps; ++s)
        factors[i].push_back(random());
    }
    size_t victim = pick(unsigned(count)), trapped = pick(2) ? pick(unsigned(count)) : count;
    for (size_t i = 0; i < count; ++i)
      for (std::uint32_t s = 0; s < steps; ++s) {
        contexts[i].setConstant(module, 2, 0, s).orExit();
        std::uint32_t factor = i == trapped && s == steps - 1 ? Traps : factors[i][s];
        contexts[i].launch(step, over(200), buffers[i], 200u, factor, 1 + pick(300)).orExit();
        if (!pick(3))
          contexts[i].syncToken(1 + pick(2), 1).orExit();
      }
    (void)device->run(pick(4000)).orExit();
    if (pick(2))
      device->kill(contexts[victim]).orExit();
    else
      contexts[victim] = context("replaced"); // the one before is ended
    device->runUntilIdle().orExit();
    for (size_t i = 0; i < count; ++i) {
      if (i == victim)
        continue;
      if (i == trapped) {
        EXPECT_SAYS(contexts[i].status(), "ADDRESS_OUT_OF_RANGE");
        continue;
      }
      EXPECT_EQ(messageOf(contexts[i].synchronize()), "") << "round " << round;
      EXPECT_EQ(buffers[i].download<std::uint32_t>().orExit(), model(factors[i], steps)) << "round " << round;
    }
  }
}

// One checker looks at launches that overlap.
TEST_F(HostContexts, LaunchesThatOverlapCanRace) {
  auto findings = [&](bool overlap) {
    make({"sm.count=2", "timing.model=cycles", "constants.model=caches"});
    leno::Context a = context("a");
    leno::Buffer out = a.upload(Words(64, 1), "out").orExit();
    std::vector<leno::PendingLaunch> launches;
    for (std::uint32_t i = 0; i < 2; ++i) {
      leno::LaunchConfig config = over(64);
      config.overlap = overlap;
      config.checks = "race";
      launches.push_back(a.launch(step, config, out, 64u, 2u, 1000u).orExit());
    }
    std::vector<leno::Finding> all;
    for (leno::PendingLaunch &launch : launches)
      for (leno::Finding &finding : launch.wait().orExit().findings)
        all.push_back(finding);
    return all;
  };
  std::vector<leno::Finding> raced = findings(true);
  ASSERT_FALSE(raced.empty());
  EXPECT_NE(raced[0].text.find(" of another launch"), std::string::npos) << raced[0].text;
  EXPECT_NE(raced[0].text.find(", launch 0, CTA (0,0,0)"), std::string::npos) << raced[0].text;
  EXPECT_TRUE(findings(false).empty());
}

// What the host copies while a launch runs, nothing orders: before and behind what the launch does.
TEST_F(HostContexts, CopiesDuringALaunchRace) {
  leno::Module early = leno::Module::assemble(R"(
.kernel early
.param ptr.u32 x
  S2R R0, SR_TID.X
  SHL R1, R0, 2
  IADD R1, R1, c[0][x]
  STG [R1], R0
  MOV32I R2, 5000
again:
  IADD R2, R2, -1
  ISETP.ne P0, R2, 0
  @P0 BRA again
  EXIT
.endkernel)",
                                              "early.s")
                           .orExit();
  auto findings = [&](bool isEarly, bool waits, bool writes) {
    make({"sm.count=2", "timing.model=cycles"});
    leno::Context a = context("a");
    leno::Buffer out = a.upload(Words(64, 1), "out").orExit(),
                 other = a.upload(Words(64, 1), "other").orExit();
    leno::LaunchConfig config = over(64);
    config.checks = "race";
    leno::PendingLaunch launch = isEarly ? a.launch(early.kernel().orExit(), config, out).orExit()
                                         : a.launch(step, config, out, 64u, 2u, 1000u).orExit();
    device->run(3000).orExit();
    EXPECT_FALSE(launch.isDone());
    if (waits)
      launch.wait().orExit();
    EXPECT_EQ(messageOf(other.download<std::uint32_t>()), "");
    const Words fives(3, 5);
    if (writes)
      EXPECT_EQ(messageOf(out.write(0, std::as_bytes(std::span(fives)))), "");
    else
      EXPECT_EQ(messageOf(out.download<std::uint32_t>()), "");
    return launch.wait().orExit().findings;
  };
  for (bool isEarly : {false, true})
    for (bool writes : {false, true}) {
      std::vector<leno::Finding> raced = findings(isEarly, false, writes);
      ASSERT_FALSE(raced.empty());
      EXPECT_EQ(raced[0].kind, isEarly  ? (writes ? "store-after-store" : "load-after-store")
                               : writes ? "load-after-store"
                                        : "store-after-load");
      auto says = [&](const char *what) { return raced[0].text.find(what) != std::string::npos; };
      EXPECT_TRUE(says(isEarly ? " by the host, and nothing orders it behind the store of a launch that runs"
                               : " of global memory, and nothing orders it behind the "))
          << raced[0].text;
      EXPECT_TRUE(says(isEarly ? "before it: store at early+0x18" : "before it: ")) << raced[0].text;
      EXPECT_TRUE(says(isEarly ? "" : " by the host\n")) << raced[0].text;
      EXPECT_TRUE(findings(isEarly, true, writes).empty());
    }
}

// A policy of the host's: SMs of a static split change hands while both contexts run.
TEST_F(HostContexts, SharesChangeWhileContextsRun) {
  make({"sm.count=4", "timing.model=cycles", "contexts.allocation=static"});
  leno::Context a = context("a"), b = context("b");
  leno::Buffer outA = a.upload(Words(4096, 1), "out").orExit(), outB = b.upload(Words(4096, 1), "out").orExit();
  a.launch(step, over(4096), outA, 4096u, 2u, 200u).orExit();
  b.launch(step, over(4096), outB, 4096u, 2u, 200u).orExit();
  device->run(1000).orExit();
  EXPECT_EQ(a.sms(), 2u);
  a.setSms(3).orExit();
  EXPECT_SAYS(b.setSms(2), "of 4 SMs context 'b' cannot have 2");
  device->run(3000).orExit();
  EXPECT_EQ(a.sms(), 3u);
  EXPECT_EQ(b.sms(), 1u);
  b.setPriority(2).orExit();
  a.remap(2, 1).orExit();
  a.synchronize().orExit();
  b.synchronize().orExit();
  EXPECT_EQ(outA.download<std::uint32_t>().orExit(), outB.download<std::uint32_t>().orExit());
}

// S2: sixteen launches, each with constants of its own, one to an SM.
TEST_F(HostContexts, LaunchesOverlapWhereAsked) {
  auto cycles = [&](bool overlap) {
    make({"sm.count=16", "timing.model=cycles", "constants.model=caches"});
    leno::Context a = context("a");
    std::vector<leno::Buffer> outs;
    for (std::uint32_t i = 0; i < 16; ++i) {
      outs.push_back(a.upload(Words(64, 1), "out").orExit());
      a.setConstant(module, 2, 0, i).orExit();
      leno::LaunchConfig config = over(64);
      config.overlap = overlap;
      a.launch(step, config, outs[i], 64u, 2u, 1000u).orExit();
    }
    a.synchronize().orExit();
    for (std::uint32_t i = 0; i < 16; ++i)
      EXPECT_EQ(outs[i].download<std::uint32_t>().orExit(), Words(64, 2 + i)) << i;
    return device->cycle();
  };
  EXPECT_LT(2 * cycles(true), cycles(false));
}
