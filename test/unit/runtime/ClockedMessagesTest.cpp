#include "test/unit/Effort.h"

#include "leno/Leno.h"

#include "gtest/gtest.h"
#include <thread>

// S3's messages on the machine's clock, through the host API: scripts, host threads that are recorded, places.
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
  explicit Clocked(std::uint32_t slots = 1, std::uint32_t words = 4, ChannelPlace requests = ChannelPlace::CoreCache,
                   ChannelPlace replies = ChannelPlace::CpuCache)
      : channel(leno::MessageChannel::create(device, slots, words, requests, replies).orExit()) {}
  leno::PendingLaunch launch(const char *kernel = "serve") {
    leno::LaunchConfig config{
        .grid = {1}, .block = {channel.slots()}, .maximumInstructions = 0, .channels = {&channel}};
    return device.context()
        .launch(module.kernel(kernel).orExit(), config, channel.buffer(), channel.slotBytes(), channel.slots(),
                channel.words())
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
                            "timing.memoryLatency=25", "l2.latency=5", "host.link=25", "host.memoryLatency=25",
                            "host.cache.latency=5"})
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
  auto result = leno::launch(run.device, run.module.kernel("serve").orExit(),
                             {.grid = {1}, .block = {1}, .maximumInstructions = 0, .channels = {&run.channel}},
                             run.channel.buffer(), run.channel.slotBytes(), run.channel.slots(),
                             run.channel.words());
  ASSERT_TRUE(result) << errorOf(result);
  EXPECT_GT(run.device.cycle(), 500u);
  EXPECT_EQ(run.channel.toHost().messages, 3u);
}

// A channel that has the memory of one that is gone has nothing of it.
TEST(ClockedMessages, ChannelsComeAndGo) {
  Clocked run;
  for (std::uint32_t i = 0; i < 3; ++i) {
    { leno::MessageChannel gone = std::move(run.channel); }
    run.channel = leno::MessageChannel::create(run.device, 1 + i, 4, ChannelPlace::CoreCache, ChannelPlace::CpuCache)
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
  EXPECT_EQ(errorOf(ends.channel.played()),
            "step 2 of the script: there is no reply to message 1 of channel 'message channel': no launch is left "
            "that could give it");

  leno::Device plain = leno::Device::create({"timing.model=cycles"}).orExit();
  EXPECT_EQ(errorOf(leno::MessageChannel::create(plain, 1, 1, ChannelPlace::CpuCache, ChannelPlace::CpuCache)),
            "cannot make a message channel: the place cpu-cache needs the host on the machine's clock: set "
            "host.model=clock and timing.model=cycles");
  auto channel = leno::MessageChannel::create(plain, 1, 1).orExit();
  EXPECT_EQ(errorOf(channel.play(leno::HostScript())),
            "a script is played on the machine's clock: make the device with host.model=clock and "
            "timing.model=cycles");
}
