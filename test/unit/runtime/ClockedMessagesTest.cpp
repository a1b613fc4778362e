#include "test/unit/Effort.h"

#include "leno/Leno.h"

#include "gtest/gtest.h"
#include <thread>

// S3's messages on the machine's clock, through the host API: scripts, host threads that are recorded,
// places.
using Words = std::vector<std::uint32_t>;
using leno::ChannelPlace;

namespace {

/// One lane for each slot; the reply is each word plus 1.
const char *const echo = R"(
        .kernel serve
        .param  ptr channel
        .param  u32 slotBytes
        .param  u32 slots
        .param  u32 words
        S2R     R0, SR_TID.X
        IMUL    R6, R0, c[0][slotBytes]
        IADD    R6, R6, 256
        IADD    R4, R6, c[0][channel]
        MOV     R5, c[0][slotBytes]
        SHR.u32 R5, R5, 1
        IADD    R5, R4, R5
        MOV     R2, c[0][channel]
        IADD    R8, R0, 1
poll:   LDG     R10, [R2]
        ISETP.ne P0, R10, RZ
  @P0   EXIT
        LDG     R10, [R4]
        ISETP.ne P0, R10, R8
        SSY     polled
  @P0   SYNC
        MOV     R12, c[0][words]
        MOV     R13, R4
        MOV     R14, R5
        PBK     done
word:   IADD    R13, R13, 4
        IADD    R14, R14, 4
        LDG     R15, [R13]
        IADD    R15, R15, 1
        STG     [R14], R15
        IADD    R12, R12, -1
        ISETP.eq P0, R12, RZ
  @P0   BRK
        BRA     word
done:   STG     [R5], R8
        IADD    R8, R8, c[0][slots]
        SYNC
polled: BRA     poll
        .endkernel
        .kernel ends
        .param  ptr channel
        .param  u32 slotBytes
        .param  u32 slots
        .param  u32 words
        EXIT
        .endkernel
)";

/// A machine with T = 25, and a channel on it.
struct Clocked {
  explicit Clocked(std::uint32_t slots = 1, std::uint32_t words = 4,
                   ChannelPlace requests = ChannelPlace::CoreCache,
                   ChannelPlace replies = ChannelPlace::CpuCache)
      : channel(leno::MessageChannel::create(device, slots, words, requests, replies).orExit()) {}
  leno::PendingLaunch launch(const char *kernel = "serve") {
    leno::LaunchConfig config{
        .grid = {1}, .block = {channel.slots()}, .maximumInstructions = 0, .channels = {&channel}};
    return device.context()
        .launch(module.kernel(kernel).orExit(), config, channel.buffer(), channel.slotBytes(),
                channel.slots(), channel.words())
        .orExit();
  }
  /// To its end; the cycles that it took.
  std::uint64_t run() {
    leno::PendingLaunch launched = launch();
    EXPECT_TRUE(launched.wait().orExit().finished());
    device.runUntilIdle().orExit();
    return device.cycle();
  }
  leno::Device device =
      leno::Device::create({"sm.count=2", "timing.model=cycles", "host.model=clock", "l2.model=slices",
                            "timing.memoryLatency=25", "l2.latency=5", "host.link=25",
                            "host.memoryLatency=25", "host.cache.latency=5"})
          .orExit();
  leno::Module module = leno::Module::assemble(echo, "echo.s").orExit();
  leno::MessageChannel channel;
};

template <typename T> std::string errorOf(const leno::Result<T> &result) {
  return result ? "success" : result.error().message();
}
std::string errorOf(const leno::Status &status) { return status ? "success" : status.error().message(); }

leno::HostScript calls(std::uint32_t count) {
  leno::HostScript script;
  script.wait(500);
  for (std::uint32_t i = 0; i < count; ++i)
    script.send(Words{i, 2 * i}).expect(Words{i + 1, 2 * i + 1, 1, 1});
  return script;
}

} // namespace

// K = 4, T = 25, in the consumer's cache: 6T/5 + K + 1 = 35, T/5 = 5, KT/5 = 20.
TEST(ClockedMessages, AScriptTakesS3sCyclesAndTheSameInEachRun) {
  std::uint64_t cycles[2];
  for (std::uint64_t &total : cycles) {
    Clocked run;
    run.channel.play(calls(10)).orExit();
    total = run.run();
    EXPECT_EQ(errorOf(run.channel.played()), "success");
    for (leno::ChannelCounts c : {run.channel.toCore(), run.channel.toHost()}) {
      EXPECT_EQ(c.messages, 10u);
      EXPECT_EQ(c.write, 350u);
      EXPECT_EQ(c.readReady, 50u);
      EXPECT_EQ(c.readMessage, 200u);
      EXPECT_EQ(c.misses, 0u);
    }
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

// Whoever waits for the machine runs it: any number of host threads changes no cycle.
TEST(ClockedMessages, AScriptTakesTheSameCyclesForEveryNumberOfHostThreads) {
  Clocked alone;
  alone.channel.play(calls(30)).orExit();
  std::uint64_t expected = alone.run();
  for (unsigned threads : {2, 5}) {
    Clocked run;
    run.channel.play(calls(30)).orExit();
    leno::PendingLaunch launched = run.launch();
    std::vector<std::thread> waiting;
    for (unsigned i = 0; i < threads; ++i)
      waiting.emplace_back([&] { EXPECT_TRUE(launched.wait().orExit().finished()); });
    for (std::thread &thread : waiting)
      thread.join();
    run.device.runUntilIdle().orExit();
    EXPECT_EQ(run.device.cycle(), expected) << threads << " threads";
  }
}

// What free host threads have sent is recorded with its cycles; played again it gives the same cycles.
TEST(ClockedMessages, FreeThreadsAreRecordedAndPlayedAgain) {
  std::uint32_t count = leno::test::effort(1000);
  Clocked free(8, 2);
  leno::PendingLaunch launched = free.launch();
  std::thread machine([&] { EXPECT_TRUE(launched.wait().orExit().finished()); });
  auto client = [&](std::uint32_t first) {
    for (std::uint32_t i = 0; i < count; ++i) {
      auto reply = free.channel.call(first + i, Words{i});
      ASSERT_TRUE(reply) << errorOf(reply);
      ASSERT_EQ(*reply, (Words{first + i + 1, i + 1}));
    }
  };
  std::thread other(client, 0x10000000);
  client(0);
  other.join();
  free.channel.stop();
  machine.join();
  free.device.runUntilIdle().orExit();
  EXPECT_EQ(free.channel.toHost().messages, 2u * count);

  Clocked again(8, 2);
  again.channel.play(free.channel.recorded()).orExit();
  EXPECT_EQ(again.run(), free.device.cycle());
  EXPECT_EQ(errorOf(again.channel.played()), "success");
  leno::ChannelCounts a = free.channel.toCore(), b = again.channel.toCore();
  EXPECT_EQ(a.polls, b.polls);
  EXPECT_EQ(a.pollWait, b.pollWait);
  EXPECT_EQ(free.channel.toHost().longest, again.channel.toHost().longest);
}

TEST(ClockedMessages, ALaunchOfTheDeviceItselfIsOnTheClockToo) {
  Clocked run;
  run.channel.play(calls(3)).orExit();
  auto result =
      leno::launch(run.device, run.module.kernel("serve").orExit(),
                   {.grid = {1}, .block = {1}, .maximumInstructions = 0, .channels = {&run.channel}},
                   run.channel.buffer(), run.channel.slotBytes(), run.channel.slots(), run.channel.words());
  ASSERT_TRUE(result) << errorOf(result);
  EXPECT_GT(run.device.cycle(), 500u);
  EXPECT_EQ(run.channel.toHost().messages, 3u);
}

// A channel that has the memory of one that is gone has nothing of it.
TEST(ClockedMessages, ChannelsComeAndGo) {
  Clocked run;
  for (std::uint32_t i = 0; i < 3; ++i) {
    { leno::MessageChannel gone = std::move(run.channel); }
    run.channel =
        leno::MessageChannel::create(run.device, 1 + i, 4, ChannelPlace::CoreCache, ChannelPlace::CpuCache)
            .orExit();
    run.channel.play(calls(5)).orExit();
    run.run();
    EXPECT_EQ(errorOf(run.channel.played()), "success");
    EXPECT_EQ(run.channel.toCore().messages, 5u);
    EXPECT_EQ(run.channel.toHost().messages, 5u);
  }
}

// Host threads are told when the kernel ends, as without the clock; another launch serves the channel again.
TEST(ClockedMessages, AKernelThatEndsLeavesNobodyWaiting) {
  Clocked run;
  auto number = run.channel.send(Words{5});
  leno::PendingLaunch ended = run.launch("ends");
  EXPECT_TRUE(ended.wait().orExit().finished());
  EXPECT_EQ(errorOf(run.channel.receive(*number)), "there is no reply to message 1: the kernel has ended");
  leno::PendingLaunch served = run.launch();
  std::thread machine([&] { EXPECT_TRUE(served.wait().orExit().finished()); });
  EXPECT_EQ(*run.channel.receive(*number), (Words{6, 1, 1, 1})) << "it is in its slot still";
  EXPECT_EQ(*run.channel.call(7, Words{8}), (Words{8, 9, 1, 1}));
  run.channel.stop();
  machine.join();
}

TEST(ClockedMessages, MistakesAreTold) {
  Clocked run;
  run.channel.play(leno::HostScript().send(Words{1}).expect(Words{7})).orExit();
  run.run();
  EXPECT_EQ(errorOf(run.channel.played()), "step 2 of the script: the reply to message 1 is [2, 1, 1, 1]");
  EXPECT_EQ(errorOf(run.channel.send(Words{1})), "cannot send a message: the channel's host plays a script");

  Clocked ends;
  ends.channel.play(leno::HostScript().send(Words{1}).expect()).orExit();
  EXPECT_TRUE(ends.launch("ends").wait().orExit().finished());
  ends.device.runUntilIdle().orExit();
  EXPECT_EQ(
      errorOf(ends.channel.played()),
      "step 2 of the script: there is no reply to message 1 of channel 'message channel': no launch is left "
      "that could give it");

  leno::Device plain = leno::Device::create({"timing.model=cycles"}).orExit();
  EXPECT_EQ(
      errorOf(leno::MessageChannel::create(plain, 1, 1, ChannelPlace::CpuCache, ChannelPlace::CpuCache)),
      "cannot make a message channel: the place cpu-cache needs the host on the machine's clock: set "
      "host.model=clock and timing.model=cycles");
  auto channel = leno::MessageChannel::create(plain, 1, 1).orExit();
  EXPECT_EQ(errorOf(channel.play(leno::HostScript())),
            "a script is played on the machine's clock: make the device with host.model=clock and "
            "timing.model=cycles");
}

//===--- Launches in messages ---------------------------------------------------===//

namespace {

/// Lane i stores i + more.
const char *const count = R"(
        .kernel count
        .param  ptr out
        .param  u32 more
        S2R     R0, SR_TID.X
        SHL     R1, R0, 2
        IADD    R2, R1, c[0][out]
        IADD    R4, R0, c[0][more]
        STG     [R2], R4
        EXIT
        .endkernel
)";

/// A machine with T = 25 and a channel for launches of 60 words.
struct Launching : Clocked {
  explicit Launching(std::uint32_t slots = 1) : Clocked(slots, 60, ChannelPlace::PpuMemory) {}
  leno::PendingLaunch launch(std::uint32_t more, std::uint32_t lanes = 4) {
    return device.context().launch(kernel, {.block = {lanes}, .message = &channel}, out, more).orExit();
  }
  std::vector<std::uint32_t> seen() const { return out.download<std::uint32_t>().orExit(); }
  leno::Module code = leno::Module::assemble(count, "count.s").orExit();
  leno::Kernel kernel = code.kernel("count").orExit();
  leno::Buffer out = device.allocate(16, "out").orExit();
};

} // namespace

// S3: the message holds instructions and data. K = 60, T = 25, in the consumer's memory: 2T + K + 1 = 111, T,
// KT = 1500.
TEST(ClockedMessages, ALaunchComesInAMessage) {
  Launching run;
  leno::PendingLaunch one = run.launch(7), two = run.launch(100, 2);
  EXPECT_TRUE(one.wait().orExit().finished());
  EXPECT_EQ(run.seen(), (Words{7, 8, 9, 10}));
  EXPECT_TRUE(two.wait().orExit().finished());
  run.device.runUntilIdle().orExit();
  EXPECT_EQ(run.seen(), (Words{100, 101, 9, 10}));
  leno::ChannelCounts c = run.channel.toCore();
  EXPECT_EQ(c.messages, 2u);
  EXPECT_EQ(c.write, 2 * 111u);
  EXPECT_EQ(c.readReady, 2 * 25u);
  EXPECT_EQ(c.readMessage, 2 * 1500u);
  EXPECT_EQ(run.channel.toHost().messages, 2u) << "the replies, which tell their ends";
  EXPECT_GE(*one.cycles().started, 111u + 25u + 1500u);
  EXPECT_GT(*two.cycles().started, *one.cycles().ended);
}

TEST(ClockedMessages, AScriptSendsLaunches) {
  std::uint64_t cycles[2];
  for (std::uint64_t &total : cycles) {
    Launching run;
    run.channel
        .play(leno::HostScript().wait(5000).launch().expect(Words{0}).wait(300).launch().expect(Words{0}))
        .orExit();
    leno::PendingLaunch one = run.launch(7), two = run.launch(100, 2);
    EXPECT_TRUE(two.wait().orExit().finished());
    run.device.runUntilIdle().orExit();
    EXPECT_EQ(errorOf(run.channel.played()), "success");
    EXPECT_EQ(run.seen(), (Words{100, 101, 9, 10}));
    EXPECT_GE(*one.cycles().started, 5000u + 111u + 25u + 1500u);
    total = run.device.cycle();
  }
  EXPECT_EQ(cycles[0], cycles[1]);
}

TEST(ClockedMessages, RecordedLaunchesArePlayedAgain) {
  std::vector<std::uint64_t> ends[2];
  leno::HostScript recorded;
  for (bool again : {false, true}) {
    Launching run(2);
    if (again)
      run.channel.play(recorded).orExit();
    std::vector<leno::PendingLaunch> launches;
    for (std::uint32_t more : {7u, 100u}) {
      launches.push_back(run.launch(more));
      EXPECT_TRUE(launches.back().wait().orExit().finished());
      run.device.run(1234).orExit();
    }
    run.device.runUntilIdle().orExit();
    EXPECT_EQ(run.seen(), (Words{100, 101, 102, 103}));
    EXPECT_EQ(run.channel.toCore().messages, 2u);
    EXPECT_EQ(errorOf(run.channel.played()), "success");
    for (const leno::PendingLaunch &launch : launches)
      ends[again].push_back(*launch.cycles().ended);
    recorded = run.channel.recorded();
  }
  EXPECT_EQ(recorded.all().back().kind, leno::HostScript::Step::Launch);
  EXPECT_EQ(ends[1], ends[0]);
}

TEST(ClockedMessages, MistakesWithLaunchesAreTold) {
  Launching run;
  auto tried = [&](leno::LaunchConfig config) {
    return errorOf(run.device.context().launch(run.kernel, config, run.out, 1u));
  };
  leno::MessageChannel small = leno::MessageChannel::create(run.device, 1, 30).orExit();
  EXPECT_EQ(tried({.message = &small}),
            "kernel 'count': a launch with its code takes 35 words, and the messages of its channel have 30: "
            "make the "
            "channel with as many"); // 20 + 3 parameters + 6 instructions
  leno::MessageChannel moved = std::move(small);
  EXPECT_EQ(tried({.message = &small}), "kernel 'count': the message channel that brings it was moved from");
  leno::Device other = leno::Device::create({"timing.model=cycles", "host.model=clock"}).orExit();
  leno::MessageChannel others = leno::MessageChannel::create(other, 1, 60).orExit();
  EXPECT_EQ(tried({.message = &others}),
            "kernel 'count': the message channel that brings it belongs to another device");

  EXPECT_EQ(tried({.message = &run.channel}), "success");
  EXPECT_EQ(errorOf(run.channel.send(Words{1})), "cannot send a message: those of the channel are launches");
  EXPECT_EQ(errorOf(run.channel.receive(1)),
            "there is no reply to message 1: the channel's messages are launches; wait for these");
  EXPECT_EQ(tried({.channels = {&run.channel}}),
            "kernel 'count': the messages of the channel are launches: no kernel can serve it");
  run.channel.stop();
  EXPECT_EQ(tried({.message = &run.channel}),
            "kernel 'count': cannot send a launch: the channel was stopped");
  run.device.runUntilIdle().orExit();
  EXPECT_EQ(run.seen()[0], 1u);

  leno::Device plain = leno::Device::create({"timing.model=cycles"}).orExit();
  leno::MessageChannel fast = leno::MessageChannel::create(plain, 1, 60).orExit();
  leno::Buffer out = plain.allocate(16).orExit();
  EXPECT_EQ(errorOf(leno::launch(plain, run.kernel, {.message = &fast}, out, 1u)),
            "kernel 'count': a launch that comes in a message needs the host on the machine's clock: make "
            "the device "
            "with host.model=clock and timing.model=cycles");

  // A channel has launches or other messages.
  Launching serves;
  leno::PendingLaunch served = serves.Clocked::launch();
  EXPECT_EQ(
      errorOf(serves.device.context().launch(serves.kernel, {.message = &serves.channel}, serves.out, 1u)),
      "kernel 'count': another launch serves the message channel already");
  serves.channel.stop();
  EXPECT_TRUE(served.wait().orExit().finished());
}

// Launches and the script's steps that send them are as many.
TEST(ClockedMessages, LaunchesAndAScriptThatDoNotAgree) {
  Launching late;
  late.channel.play(leno::HostScript().wait(10).launch().launch()).orExit();
  EXPECT_TRUE(late.launch(7).wait().orExit().finished());
  late.device.runUntilIdle().orExit();
  EXPECT_EQ(errorOf(late.channel.played()), "step 3 of the script: no launch has come that it could send");
  EXPECT_TRUE(late.launch(8).wait().orExit().finished()) << "now it has";
  EXPECT_EQ(errorOf(late.channel.played()), "success");
  EXPECT_EQ(late.seen(), (Words{8, 9, 10, 11}));

  Launching unsent;
  unsent.channel.play(leno::HostScript().wait(10).launch()).orExit();
  leno::PendingLaunch one = unsent.launch(7), two = unsent.launch(8);
  EXPECT_TRUE(one.wait().orExit().finished());
  EXPECT_EQ(errorOf(two.wait()),
            "kernel 'count' did not run: context 'main' cannot go on: context 'main' waits for message "
            "2 of channel 'message channel', which the host has not sent");
}

// Another context's kernel runs on, and who takes the launch away ends it for all who wait.
TEST(ClockedMessages, AContextThatIsKilledTakesNoLaunch) {
  Launching run;
  leno::Context other = run.device.createContext({.name = "other"}).orExit();
  leno::MessageChannel channel = leno::MessageChannel::create(other, 1, 60).orExit();
  leno::Buffer out = other.allocate(16, "out").orExit();
  leno::PendingLaunch gone = other.launch(run.kernel, {.message = &channel}, out, 1u).orExit();
  leno::PendingLaunch stays = run.launch(7);
  run.device.run(50).orExit();
  run.device.kill(other).orExit();
  EXPECT_TRUE(stays.wait().orExit().finished());
  EXPECT_FALSE(gone.wait());
  run.device.runUntilIdle().orExit();
  EXPECT_EQ(run.seen(), (Words{7, 8, 9, 10}));
}
