#include "DeviceHarness.h"
#include "emu/Snapshot.h"
#include "test/unit/Support.h"

// S3 on the machine's clock: the CPU, the link, and messages between it and kernels that run.
using namespace leno;
using namespace leno::test;

namespace {

/// One lane that serves one slot: it reads each message word by word and replies with each word plus 1. Of
/// messages that the producer may change (S3: "12KT/5") it reads the ready value again after each word.
Program service() {
  return assembled(R"(
    .param u32 channel
    .param u32 half
    .param u32 words
    .param u32 again
    MOV R2, c[0][channel]
    IADD R4, R2, 256
    IADD R5, R4, c[0][half]
    MOV R8, 1
    ISETP.ne P1, RZ, c[0][again]
  poll:
    LDG R10, [R2]
    ISETP.ne P0, R10, RZ
    @P0 EXIT
    LDG R10, [R4]
    ISETP.ne P0, R10, R8
    @P0 BRA poll
    MOV R12, c[0][words]
    MOV R13, R4
    MOV R14, R5
  word:
    IADD R13, R13, 4
    IADD R14, R14, 4
    LDG R15, [R13]
    @P1 LDG R10, [R4]
    IADD R15, R15, 1
    STG [R14], R15
    IADD R12, R12, -1
    ISETP.ne P0, R12, RZ
    @P0 BRA word
    STG [R5], R8
    IADD R8, R8, 1
    BRA poll
  )");
}

MachineConfig clocked(u64 T = 250) {
  MachineConfig config = sharedMachine(2);
  config.timing.memoryLatency = T;
  config.l2.model = MachineConfig::L2::Slices;
  config.l2.latency = T / 5;
  config.host.model = MachineConfig::Host::Clock;
  config.host.link = config.host.memoryLatency = T;
  config.host.cacheLatency = T / 5;
  return config;
}

/// A context whose kernel serves a channel, with the host's program.
struct Service : Contexts {
  Service(const MachineConfig &config, u32 words, MemoryPlace requests, MemoryPlace replies, u32 slots = 1)
      : Contexts(config), server(context({.name = "service"})), words(words) {
    ChannelShape shape = ChannelShape::of(slots, words, requests != replies);
    base = cantFail(server.memory().allocate(shape.bytes(), "channel"));
    u32 channel =
        server.device().messages().addChannel("channel", server.memory(), base, shape, requests, replies);
    program = device.host()->addProgram(server.id(), {channel}, false);
    submit(server, launchOf(code, 1, 1,
                            {u32(base), shape.slotBytes / 2, words, requests == MemoryPlace::CpuCache}));
  }
  void step(HostStep step) { device.host()->addStep(program, std::move(step)); }
  /// Sends a message of words that follow from `first`, and expects what the kernel makes of them.
  void call(u32 first) {
    HostStep send{.kind = HostStep::Send}, expect{.kind = HostStep::Expect};
    for (u32 i = 0; i < words; ++i) {
      send.words.push_back(first + i * 2654435761u);
      expect.words.push_back(send.words.back() + 1);
    }
    step(send);
    step(expect);
  }
  void wait(u64 cycles) { step({.kind = HostStep::Wait, .cycles = cycles}); }
  void run() {
    ASSERT_EQ(device.run().reason, StopReason::Finished);
    const HostProcessor::Program &done = device.host()->programs()[program];
    EXPECT_EQ(done.failure, "");
    EXPECT_TRUE(done.mismatches.empty());
    EXPECT_TRUE(server.alive()) << server.whyEnded();
  }
  const MessageTraffic::Channel &counts() const { return server.device().messages().channels()[0]; }

  const Program code = service();
  Context &server;
  u32 words, program = 0;
  u64 base = 0;
};

/// S3's table 1 as its text has it: T for the own memory, 2T for the other's, a fifth of T for the own cache,
/// 6T/5 for the other's; writes are pipelined; words in the producer's cache count twice.
struct Row {
  u64 write, readReady, readMessage;
};
Row tableOne(bool atProducer, bool inCache, u64 T, u64 K) {
  if (inCache)
    return atProducer ? Row{T / 5 + K + 1, 6 * T / 5, 12 * K * T / 5} : Row{6 * T / 5 + K + 1, T / 5, K * T / 5};
  return atProducer ? Row{T + K + 1, 2 * T, 2 * K * T} : Row{2 * T + K + 1, T, K * T};
}

constexpr MemoryPlace places[] = {MemoryPlace::CoreCache, MemoryPlace::PpuMemory, MemoryPlace::CpuCache,
                                  MemoryPlace::SystemMemory};
bool isCache(MemoryPlace place) { return place == MemoryPlace::CoreCache || place == MemoryPlace::CpuCache; }

void expectRow(const MessageCounts &counts, u64 messages, const Row &row) {
  EXPECT_EQ(counts.messages, messages);
  EXPECT_EQ(counts.write, messages * row.write);
  EXPECT_EQ(counts.readReady, messages * row.readReady);
  EXPECT_EQ(counts.readMessage, messages * row.readMessage);
  EXPECT_EQ(counts.misses, 0u);
}

} // namespace

// "the memory part of each message equals every column", where nothing else runs.
TEST(HostOnTheClock, AMessageTakesWhatS3sTableSaysInEachPlaceAndBothWays) {
  for (u64 T : {5, 25, 100, 250})
    for (u32 K = 1; K <= 64; ++K)
      for (MemoryPlace place : places) {
        SCOPED_TRACE("T " + std::to_string(T) + " K " + std::to_string(K) + " in " + placeName(place));
        Service run(clocked(T), K, place, place);
        run.wait(3000); // the kernel polls, and what it polls is in the cache
        run.call(7);
        run.call(8);
        run.run();
        expectRow(run.counts().toCore, 2, tableOne(isOfHost(place), isCache(place), T, K));
        expectRow(run.counts().toHost, 2, tableOne(!isOfHost(place), isCache(place), T, K));
        if (testing::Test::HasFailure())
          return;
      }
}

static u64 totalOf(MemoryPlace place, u64 T, u32 K) {
  Service run(clocked(T), K, place, MemoryPlace::CpuCache);
  run.wait(3000);
  run.call(1);
  run.run();
  const MessageCounts &c = run.counts().toCore;
  return c.write + c.readReady + c.readMessage;
}

// "when T is 250 and K is 16 the third system configuration requires 1012 clock cycles ... the fourth only
// 132": S3's formulas give these numbers for T = 25.
TEST(HostOnTheClock, TheNumbersOfS3sTextAreThoseOfT25) {
  EXPECT_EQ(totalOf(MemoryPlace::CpuCache, 25, 16), 1012u);
  EXPECT_EQ(totalOf(MemoryPlace::CoreCache, 25, 16), 132u);
  EXPECT_EQ(totalOf(MemoryPlace::CpuCache, 250, 16), 9967u);
  EXPECT_EQ(totalOf(MemoryPlace::CoreCache, 250, 16), 1167u);
}

// "when K < 8/7, or K = 1, since K is an integer, the third configuration is faster" than the second.
TEST(HostOnTheClock, TheProducersCacheBeatsTheConsumersMemoryForOneWordOnly) {
  auto faster = [](u32 K) {
    return totalOf(MemoryPlace::CpuCache, 250, K) < totalOf(MemoryPlace::PpuMemory, 250, K);
  };
  EXPECT_TRUE(faster(1));
  for (u32 K : {2, 3, 8, 64})
    EXPECT_FALSE(faster(K)) << K;
}

// The best poll begins as the ready value lands, and the worst one just before: one turn of the kernel's loop later.
TEST(HostOnTheClock, TheBestAndTheWorstPollAreATurnOfTheLoopApart) {
  constexpr u64 T = 100, K = 4;
  u64 best = ~u64(0), worst = 0;
  // Two loads of T/5 that wait, and six instructions in all.
  constexpr u64 turn = 2 * (T / 5) + 6;
  for (u64 phase = 0; phase < turn; ++phase) {
    Service run(clocked(T), K, MemoryPlace::CoreCache, MemoryPlace::CpuCache);
    run.wait(3000 + phase);
    run.call(1);
    run.run();
    best = std::min(best, run.counts().toCore.pollWait);
    worst = std::max(worst, run.counts().toCore.pollWait);
    expectRow(run.counts().toCore, 1, tableOne(false, true, T, K));
  }
  EXPECT_EQ(best, 0u);
  EXPECT_EQ(worst, turn - 1);
}

// All that passes between a message's first word and the last word that is read is in one of the columns.
TEST(HostOnTheClock, TheColumnsTogetherAreTheWholeTime) {
  Service run(clocked(), 16, MemoryPlace::CoreCache, MemoryPlace::CpuCache);
  run.wait(3000);
  run.call(1);
  run.run();
  for (const MessageCounts &c : {run.counts().toCore, run.counts().toHost})
    EXPECT_EQ(c.longest, c.write + c.pollWait + c.readReady + c.readMessage + c.issue + c.atSlice + c.atLink);
}

// S3: "any core can access any cache". Beside a kernel that reads all the time, messages take what they take
// alone, and what they wait in queues.
TEST(HostOnTheClock, BesideOtherLoadTheDifferenceIsToldAsTimeInQueues) {
  MachineConfig config = clocked(25);
  config.l2.slices = 1;
  config.l2.interval = 4;
  config.contexts.allocation = MachineConfig::Contexts::Static;
  Program reads = assembled(R"(
    .param u32 buffer
    S2R R0, SR_TID.X
    SHL R0, R0, 7
    IADD R0, R0, c[0][buffer]
    MOV R1, 200
  loop:
    LDG R2, [R0]
    IADD R1, R1, -1
    ISETP.ne P0, R1, RZ
    @P0 BRA loop
    EXIT
  )");
  Service run(config, 16, MemoryPlace::CoreCache, MemoryPlace::CoreCache);
  Context &other = run.context({.name = "load"});
  run.submit(other, Contexts::launchOf(reads, 1, 32, {u32(run.buffer(other, 1024))}));
  run.wait(3000);
  for (u32 i = 0; i < 20; ++i)
    run.call(i);
  run.run();
  expectRow(run.counts().toCore, 20, tableOne(false, true, 25, 16));
  EXPECT_GT(run.counts().toCore.atSlice, 100u);
  EXPECT_GT(run.counts().toHost.atSlice, 100u);
  const MessageCounts &c = run.counts().toHost;
  EXPECT_EQ(c.readReady + c.readMessage + c.write,
            20 * (tableOne(true, true, 25, 16).readReady + tableOne(true, true, 25, 16).readMessage +
                  tableOne(true, true, 25, 16).write));
}

TEST(HostOnTheClock, TheLinkTakesOneRequestInItsInterval) {
  MachineConfig config = clocked(25);
  config.host.linkInterval = 10;
  Service run(config, 8, MemoryPlace::CoreCache, MemoryPlace::CpuCache);
  run.wait(3000);
  run.call(1);
  run.run();
  // Nine writes leave in a row, and the link takes one in ten cycles: the last waits for eight times nine.
  EXPECT_EQ(run.counts().toCore.atLink, 8u * 9);
  expectRow(run.counts().toCore, 1, tableOne(false, true, 25, 8));
}

// More messages than slots wait on the host, and each finds its reply.
TEST(HostOnTheClock, SlotsAreUsedAgain) {
  Service run(clocked(5), 3, MemoryPlace::CoreCache, MemoryPlace::CpuCache, 1);
  for (u32 i = 0; i < 50; ++i) {
    run.step({.kind = HostStep::Send, .words = {i, i * i, 7}});
    run.step({.kind = HostStep::Send, .words = {i + 1, i * i, 7}});
    run.step({.kind = HostStep::Expect, .words = {i + 1, i * i + 1, 8}});
    run.step({.kind = HostStep::Expect, .words = {i + 2, i * i + 1, 8}});
  }
  run.run();
  EXPECT_EQ(run.counts().toHost.messages, 100u);
}

TEST(HostOnTheClock, WhatIsNotAsExpectedIsTold) {
  Service run(clocked(5), 1, MemoryPlace::CoreCache, MemoryPlace::CpuCache);
  run.step({.kind = HostStep::Send, .words = {1}});
  run.step({.kind = HostStep::Expect, .words = {3}});
  run.step({.kind = HostStep::Expect});
  ASSERT_EQ(run.device.run(100000).reason, StopReason::Budget) << "nobody has told the kernel to end";
  const HostProcessor::Program &host = run.device.host()->programs()[0];
  ASSERT_EQ(host.mismatches.size(), 1u);
  EXPECT_EQ(host.mismatches[0].step, 1u);
  EXPECT_EQ(host.mismatches[0].reply, (std::vector<u32>{2}));
  EXPECT_EQ(host.failure, "a reply is expected of channel 'channel', and all messages have been replied to");
}

TEST(HostOnTheClock, AKernelThatEndsLeavesNobodyPolling) {
  Contexts run(clocked());
  Context &one = run.context({.name = "a"});
  ChannelShape shape = ChannelShape::of(1, 1, false);
  u64 base = cantFail(one.memory().allocate(shape.bytes(), "ask"));
  u32 channel = one.device().messages().addChannel("ask", one.memory(), base, shape, MemoryPlace::CoreCache,
                                                   MemoryPlace::CoreCache);
  u32 host = run.device.host()->addProgram(one.id(), {channel}, false);
  run.device.host()->addStep(host, {.kind = HostStep::Send, .words = {1}});
  Program ends = assembled("EXIT");
  run.submit(one, Contexts::launchOf(ends, 1, 1, {}));
  EXPECT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_EQ(run.device.host()->programs()[host].failure,
            "there is no reply to message 1 of channel 'ask': no launch is left that could give it");
}

// S3: "the processors store messages directly into each other's caches". A store to a page for messages lands
// a fifth of T later in whatever slice it is in; a core that polls sees it from then on.
TEST(HostOnTheClock, CoresPassMessagesThroughAnySlice) {
  constexpr u64 T = 250;
  Program both = assembled(R"(
    .param u32 box
    .param u32 out
    S2R R0, SR_CTAID.X
    MOV R1, c[0][box]
    MOV R7, c[0][out]
    ISETP.eq P0, R0, RZ
    @P0 BRA consumer
    MOV R2, 300
  pause:
    IADD R2, R2, -1
    ISETP.ne P0, R2, RZ
    @P0 BRA pause
    S2R R5, SR_CLOCKLO
    STG [R1+4], R0        # the clock is read, then two words leave in a row
    STG [R1], R0
    STG [R7], R5
    EXIT
  consumer:
    LDG R3, [R1]
    S2R R5, SR_CLOCKLO
    ISETP.eq P0, R3, RZ
    @P0 BRA consumer
    LDG R4, [R1+4]
    STG [R7+4], R5
    STG [R7+8], R4
    EXIT
  )");
  MachineConfig config = clocked(T);
  config.sm.ctas = 1;
  Contexts run(config);
  Context &one = run.context({.name = "cores"});
  u64 box = run.buffer(one, 2), out = run.buffer(one, 3);
  one.memory().setPlace(box, 8, MemoryPlace::CoreCache);
  run.submit(one, Contexts::launchOf(both, 2, 1, {u32(box), u32(out)}));
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  std::vector<u32> got = run.words(one, out, 3);
  // The ready value leaves two cycles after the clock, lands T/5 later; the poll that finds it takes T/5, and
  // begins within one turn of the loop, which is T/5 and four instructions.
  u32 found = got[1] - got[0], least = 2 + T / 5 + T / 5 + 1;
  EXPECT_GE(found, least);
  EXPECT_LT(found, least + T / 5 + 4);
  EXPECT_EQ(got[2], 1u) << "what was stored first has landed first";
}

// A lane's own store lands later, too; MEMBAR waits until it has.
TEST(HostOnTheClock, AFenceWaitsUntilStoresHaveLanded) {
  Program code = assembled(R"(
    .param u32 box
    .param u32 out
    MOV R1, c[0][box]
    MOV R2, c[0][out]
    MOV R3, 7
    STG [R1], R3
    LDG R4, [R1]
    MEMBAR.GL
    LDG R5, [R1]
    STG [R2], R4
    STG [R2+4], R5
    EXIT
  )");
  Contexts run(clocked());
  Context &one = run.context();
  u64 box = run.buffer(one, 1), out = run.buffer(one, 2);
  one.memory().setPlace(box, 4, MemoryPlace::SystemMemory); // the store needs longer than the load's issue
  run.submit(one, Contexts::launchOf(code, 1, 1, {u32(box), u32(out)}));
  ASSERT_EQ(run.device.run().reason, StopReason::Finished);
  EXPECT_EQ(run.words(one, out, 2), (std::vector<u32>{0, 7}));
}

// Cores reach the CPU's memory: T more than their own, over the link.
TEST(HostOnTheClock, CoresReachSystemMemory) {
  Program code = assembled(R"(
    .param u32 buffer
    .param u32 out
    MOV R1, c[0][buffer]
    MOV R2, c[0][out]
    S2R R3, SR_CLOCKLO
    LDG R4, [R1]
    S2R R5, SR_CLOCKLO
    ISUB R5, R5, R3
    STG [R2], R5
    EXIT
  )");
  for (auto [place, cycles] : {std::pair(MemoryPlace::PpuMemory, 100u), {MemoryPlace::SystemMemory, 200u}}) {
    Contexts run(clocked(100));
    Context &one = run.context();
    u64 buffer = run.buffer(one, 1), out = run.buffer(one, 1);
    one.memory().setPlace(buffer, 4, place);
    run.submit(one, Contexts::launchOf(code, 1, 1, {u32(buffer), u32(out)}));
    ASSERT_EQ(run.device.run().reason, StopReason::Finished);
    EXPECT_EQ(run.words(one, out, 1)[0], cycles + 2) << placeName(place); // the load's issue and the clock's
  }
}

// However a run is cut into pieces, and from wherever it comes back: the same cycles, memory and counts.
TEST(HostOnTheClock, GoesBackAndDoesTheSameAgain) {
  auto make = [] {
    auto run = std::make_unique<Service>(clocked(25), 4, MemoryPlace::CoreCache, MemoryPlace::CpuCache);
    for (u32 i = 0; i < 6; ++i)
      run->call(i);
    return run;
  };
  auto summary = [](Service &run) {
    std::vector<u64> all = {run.device.cycle(), run.device.ticks()};
    for (const MessageCounts &c : {run.counts().toCore, run.counts().toHost})
      all.insert(all.end(), {c.messages, c.write, c.readReady, c.readMessage, c.polls, c.pollWait, c.issue,
                             c.misses, c.atSlice, c.atLink, c.longest});
    return all;
  };
  auto whole = make();
  whole->run();
  std::vector<u64> expected = summary(*whole);
  auto pieces = make();
  std::mt19937 random(3);
  std::unique_ptr<Snapshot> kept;
  unsigned back = 0;
  for (;;) {
    if (!kept || random() % 20 == 0)
      kept = pieces->device.snapshot(kept.get(), std::make_shared<u64>());
    Stop stop = pieces->device.run(1 + random() % 40);
    if (stop.reason == StopReason::Finished)
      break;
    if (back < 20 && random() % 3 == 0)
      pieces->device.restore(*kept), ++back;
  }
  EXPECT_EQ(back, 20u);
  EXPECT_EQ(summary(*pieces), expected);
  EXPECT_TRUE(pieces->device.host()->programs()[0].mismatches.empty());
}

//===--- Launches in messages -----------------------------------------------===//

namespace {

/// A context whose stream takes one launch after the other from a channel.
struct Launches : Contexts {
  Launches(const MachineConfig &config, MemoryPlace requests, u32 words)
      : Contexts(config), user(context({.name = "user"})), out(buffer(user, 32)) {
    ChannelShape shape = ChannelShape::of(1, words, requests != MemoryPlace::CpuCache);
    u64 base = cantFail(user.memory().allocate(shape.bytes(), "work"));
    channel = user.device().messages().addChannel("work", user.memory(), base, shape, requests,
                                                  MemoryPlace::CpuCache);
    host = device.host()->addProgram(user.id(), {channel}, false);
  }
  /// The stream expects `program`; the host sends `sent`.
  void add(const Program &program, const Program &sent) {
    Launch launch = launchOf(program, 1, 32, {u32(out), 0});
    launch.channel = channel;
    send(LaunchMessage::of(sent, launch.spec));
    submit(user, std::move(launch));
  }
  void send(std::vector<u32> words) {
    device.host()->addStep(host, {.kind = HostStep::Send, .words = std::move(words)});
    device.host()->addStep(host, {.kind = HostStep::Expect, .words = {0}});
  }
  const MessageTraffic::Channel &counts() const { return user.device().messages().channels()[channel]; }

  Context &user;
  u64 out;
  u32 channel = 0, host = 0;
};

Program stores(const std::string &value) {
  return assembled(".param u64 out\n S2R R0, SR_TID.X\n SHL R1, R0, 2\n IADD R2, R1, c[0][out]\n " + value +
                   "\n STG [R2], R3\n EXIT");
}

} // namespace

TEST(LaunchMessages, TheFrontEndReadsAsACoreDoes) {
  const Program code = stores("IADD R3, R0, 7");
  for (MemoryPlace place : places)
    for (u32 words : {40u, 64u}) {
      Launches machine(clocked(), place, words);
      machine.add(code, code);
      machine.add(code, code);
      ASSERT_EQ(machine.device.run().reason, StopReason::Finished);
      EXPECT_TRUE(machine.user.alive()) << machine.user.whyEnded();
      expectRow(machine.counts().toCore, 2, tableOne(isOfHost(place), isCache(place), 250, words));
      EXPECT_EQ(machine.counts().toHost.messages, 2u);
      EXPECT_EQ(machine.words(machine.user, machine.out, 32)[31], 38u);
    }
}

TEST(LaunchMessages, WhatRunsIsTheCodeThatIsInTheMessage) {
  const Program expected = stores("MOV R3, 1"), sent = stores("MOV R3, 2");
  Launches machine(clocked(), MemoryPlace::PpuMemory, 64);
  machine.add(expected, sent);
  ASSERT_EQ(machine.device.run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(machine.user, machine.out, 1)[0], 2u);
}

TEST(LaunchMessages, WordsThatHoldNoLaunchEndTheContext) {
  const Program code = stores("MOV R3, 1");
  auto endOf = [&](llvm::function_ref<void(std::vector<u32> &)> change) {
    Launches machine(clocked(), MemoryPlace::CoreCache, 64);
    Launch launch = Contexts::launchOf(code, 1, 32, {u32(machine.out), 0});
    launch.channel = machine.channel;
    std::vector<u32> words = LaunchMessage::of(code, launch.spec);
    change(words);
    machine.send(words);
    machine.submit(machine.user, std::move(launch));
    machine.device.run();
    return machine.user.whyEnded();
  };
  EXPECT_EQ(endOf([](auto &) {}), "");
  EXPECT_EQ(endOf([](auto &words) { words[0] = 1000; }),
            "message 1 of channel 'work' holds no launch that can be made: it tells of 1000 words of code "
            "and 8 bytes "
            "of parameters, which take 2022 words with its head; it has 64");
  EXPECT_HOLDS(endOf([](auto &words) { words[0] = 0xffffffff, words[11] = 0xffffffff; }), "it has 64");
  EXPECT_HOLDS(endOf([](auto &words) { words[1] = 4; }), "is not in the program");
  EXPECT_HOLDS(endOf([](auto &words) { words[5] = 1 << 20; }), "does not fit");
  EXPECT_HOLDS(endOf([](auto &words) { words[2] = 0; }), "need at least 1 along each axis");
}

TEST(LaunchMessages, AMachineGoesOnFromAnyMomentAsBefore) {
  const Program code = stores("IADD R3, R0, 7");
  Launches machine(clocked(25), MemoryPlace::SystemMemory, 40);
  machine.add(code, code);
  machine.add(code, code);
  std::shared_ptr<u64> bytes = std::make_shared<u64>();
  std::vector<std::unique_ptr<Snapshot>> moments;
  do
    moments.push_back(machine.device.snapshot(moments.empty() ? nullptr : moments.back().get(), bytes));
  while (machine.device.runUntil(machine.device.cycle() + 97).reason == StopReason::Cycle);
  u64 end = machine.device.cycle();
  MessageCounts toCore = machine.counts().toCore, toHost = machine.counts().toHost;
  EXPECT_GT(moments.size(), 20u);
  for (const auto &moment : moments) {
    machine.device.restore(*moment);
    ASSERT_EQ(machine.device.run().reason, StopReason::Finished);
    EXPECT_EQ(machine.device.cycle(), end);
    EXPECT_EQ(machine.counts().toCore, toCore);
    EXPECT_EQ(machine.counts().toHost, toHost);
  }
}

TEST(LaunchMessages, NobodyWaitsForEverForWhatIsNotSent) {
  const Program code = stores("MOV R3, 1");
  Launches machine(clocked(), MemoryPlace::CoreCache, 64);
  Launch launch = Contexts::launchOf(code, 1, 32, {u32(machine.out), 0});
  launch.channel = machine.channel;
  machine.submit(machine.user, std::move(launch));
  EXPECT_EQ(machine.device.run().reason, StopReason::Stuck);
}

TEST(LaunchMessages, NeedAHostOnTheClock) {
  MachineConfig config = clocked();
  config.host.model = MachineConfig::Host::Off;
  Contexts machine(config);
  const Program code = stores("MOV R3, 1");
  Launch launch = Contexts::launchOf(code, 1, 32, {0, 0});
  launch.channel = 0;
  EXPECT_HOLDS(textOf(machine.device.submit(machine.context({}), std::move(launch))), "set host.model=clock");
}
