// One Device: what a context can do, it can do alone, beside others, and as one of those.
#include "Says.h"
#include "StepKernel.h"
#include "leno/Leno.h"

#include "gtest/gtest.h"
#include <thread>

namespace {

using Words = std::vector<std::uint32_t>;

/// Answers each message of one slot with word 0 plus 1, until it is stopped.
const char *const Service = R"(
        .kernel serve
        .param  ptr channel
        .param  u32 slotBytes
        IADD.CC R4, RZ, c[0][channel]
        IADD.X  R5, RZ, c[0][channel+4]
        MOV     R7, c[0][slotBytes]
        SHR.u32 R7, R7, 1
        IADD.CC R6, R4, R7
        IADD.X  R7, R5, RZ
        MOV     R8, 1
poll:   LDG     R10, [R4.64]
        ISETP.ne P0, R10, RZ
  @P0   EXIT
        LDG     R10, [R4.64+256]
        ISETP.eq P0, R10, R8
  @P0   LDG     R11, [R4.64+260]
  @P0   IADD    R11, R11, 1
  @P0   STG     [R6.64+260], R11
  @P0   STG     [R6.64+256], R8
  @P0   IADD    R8, R8, 1
        BRA     poll
        .endkernel
)";

leno::LaunchConfig over(std::uint32_t count) { return {.grid = {(count + 63) / 64}, .block = {64}}; }

enum class Place { Alone, BesideOthers, OneOfSeveral };

class OneDevice : public testing::TestWithParam<Place> {
protected:
  OneDevice() {
    if (GetParam() == Place::Alone)
      return;
    other = device.createContext({.name = "other"}).orExit();
    others = other.upload(Words(64 * 64, 1), "others").orExit();
    pending.emplace(other.launch(step, over(64 * 64), others, 64u * 64, 3u, 300u).orExit());
    if (GetParam() == Place::OneOfSeveral)
      context = device.createContext({.name = "mine"}).orExit();
  }
  /// The others have computed what they should, whatever went on beside them.
  ~OneDevice() {
    if (!pending)
      return;
    EXPECT_TRUE(pending->wait().orExit().finished());
    EXPECT_EQ(others.download<std::uint32_t>().orExit(), Words(64 * 64, 4));
  }
  leno::DeviceMemory &place() {
    return GetParam() == Place::OneOfSeveral ? static_cast<leno::DeviceMemory &>(context) : device;
  }
  leno::Context &commands() { return GetParam() == Place::OneOfSeveral ? context : device.context(); }
  bool isAlone() const { return GetParam() == Place::Alone; }
  std::string name() const { return GetParam() == Place::OneOfSeveral ? "mine" : "main"; }

  leno::Device device = leno::Device::create({"sm.count=4", "timing.model=cycles"}).orExit();
  leno::Module module = leno::Module::assemble(StepKernel, "step.s").orExit();
  leno::Kernel step = module.kernel("step").orExit();
  leno::Context other, context;
  leno::Buffer others;
  std::optional<leno::PendingLaunch> pending;
};

INSTANTIATE_TEST_SUITE_P(InEachPlace, OneDevice,
                         testing::Values(Place::Alone, Place::BesideOthers, Place::OneOfSeveral),
                         [](const auto &info) {
                           return info.param == Place::Alone          ? "Alone"
                                  : info.param == Place::BesideOthers ? "BesideOthers"
                                                                      : "OneOfSeveral";
                         });

} // namespace

TEST_P(OneDevice, LaunchesAndWaits) {
  leno::Buffer x = place().upload(Words(200, 5), "x").orExit();
  leno::LaunchConfig config = over(200);
  config.statistics = true;
  auto result = leno::launch(place(), step, config, x, 200u, 3u, 1u).orExit();
  EXPECT_TRUE(result.finished());
  EXPECT_EQ(result.statistics->ctas, 4u);
  EXPECT_EQ(result.statistics->globalBytesStored, 800u);
  EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(200, 16));
  EXPECT_EQ(device.cycle() == 0, isAlone()); // alone no time passes outside of the launch
}

TEST(Checks, OfTheEnvironmentTellOfBuffersThatNobodyReleases) {
  setenv("LENO_CHECK", "memory", 1);
  testing::internal::CaptureStderr();
  {
    leno::Buffer kept;
    leno::Device device = leno::Device::create().orExit();
    leno::Buffer gone = device.allocate<std::uint32_t>(4, "gone").orExit();
    kept = device.allocate<std::uint32_t>(4, "kept").orExit();
    leno::Context context = device.createContext({.name = "c"}).orExit();
    leno::Buffer its = context.allocate<std::uint32_t>(1, "its").orExit();
  }
  unsetenv("LENO_CHECK");
  std::string told = testing::internal::GetCapturedStderr();
  EXPECT_NE(told.find("memory: 'kept' (16 bytes at 0x"), std::string::npos) << told;
  EXPECT_NE(told.find(") was never released [leak]\n"), std::string::npos) << told;
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 1) << told;
}

TEST_P(OneDevice, ALaunchIsChecked) {
  leno::Module module = leno::Module::assemble(R"(
.kernel neighbours
.param ptr.u32 x
.shared a, 256
  S2R R0, SR_TID.X
  SHL R1, R0, 2
  STS [R1+a], R0
  LOP.xor R2, R1, 0x80
  LDS R3, [R2+a]              # of the other warp
  IADD R1, R1, c[0][x]
  STG [R1], R3
  EXIT
.endkernel)",
                                               "neighbours.s")
                            .orExit();
  leno::Kernel neighbours = module.kernel().orExit();
  leno::Buffer x = place().allocate<std::uint32_t>(64, "x").orExit();
  leno::LaunchConfig config{.grid = {1}, .block = {64}};
  auto plain = leno::launch(place(), neighbours, config, x).orExit();
  EXPECT_TRUE(plain.findings.empty());
  config.checks = "race,sync";
  auto result = leno::launch(place(), neighbours, config, x).orExit();
  ASSERT_EQ(result.findings.size(), 1u); // the warps go by turns: both have stored before either loads
  EXPECT_EQ(result.findings[0].check, "race");
  EXPECT_EQ(result.findings[0].kind, "load-after-store");
  EXPECT_EQ(result.findings[0].file, "neighbours.s");
  EXPECT_EQ(result.findings[0].line, 9u);
  EXPECT_NE(result.findings[0].text.find("neighbours.s:7"), std::string::npos) << result.findings[0].text;
  config.checks = "memory";
  std::uint64_t address = 0;
  {
    leno::Buffer gone = place().allocate<std::uint32_t>(64, "gone").orExit();
    address = gone.address();
  }
  leno::Kernel follows = leno::Module::assemble(R"(
.kernel follow
.param u64 place
  MOV R2, c[0][place]
  MOV R3, c[0][place+4]
  LDG R4, [R2.64+8]
  EXIT
.endkernel)",
                                                "follow.s")
                             .orExit()
                             .kernel()
                             .orExit();
  if (isAlone()) { // a trap ends a context
    auto after = leno::launch(place(), follows, config, address).orExit();
    ASSERT_EQ(after.findings.size(), 1u);
    EXPECT_EQ(after.findings[0].kind, "use-after-release");
    EXPECT_NE(after.findings[0].text.find("8 bytes into 'gone' (256 bytes at"), std::string::npos)
        << after.findings[0].text;
  }
  config.checks = "rase";
  auto wrong = leno::launch(place(), neighbours, config, x);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find("there is no check 'rase'"), std::string::npos);
}

TEST_P(OneDevice, ALaunchMayNameHostThreads) {
  leno::Device plain = leno::Device::create({"sm.count=4"}).orExit();
  leno::Context one = GetParam() == Place::Alone ? leno::Context() : plain.createContext().orExit();
  leno::DeviceMemory &where =
      GetParam() == Place::OneOfSeveral ? static_cast<leno::DeviceMemory &>(one) : plain;
  leno::Buffer x = where.upload(Words(2000, 5), "x").orExit();
  leno::LaunchConfig config = over(2000);
  config.threads = 3;
  EXPECT_TRUE(leno::launch(where, step, config, x, 2000u, 3u, 1u).orExit().finished());
  EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(2000, 16));
}

TEST_P(OneDevice, StreamsCopyComputeWaitAndCall) {
  leno::Buffer x = place().allocate<std::uint32_t>(100, "x").orExit();
  leno::Stream first = leno::Stream::create(place()).orExit(),
               second = leno::Stream::create(place()).orExit();
  Words seen(100);
  std::uint32_t atCall = 0;
  leno::Event event;
  first.upload(x, Words(100, 2)).orExit();
  auto taken = first.launch(step, over(100), x, 100u, 3u, 50u).orExit(); // 7
  first.setConstant(module, 2, 0, 10u).orExit();
  first.record(event).orExit();
  second.wait(event).orExit();
  second.launch(step, over(100), x, 100u, 2u, 1u).orExit(); // 24
  second.call([&] { atCall = x.download<std::uint32_t>().orExit()[0]; }).orExit();
  second.download(x, seen).orExit();
  second.synchronize().orExit();
  EXPECT_EQ(seen, Words(100, 24));
  EXPECT_EQ(atCall, 24u);
  EXPECT_TRUE(taken.isDone());
  EXPECT_TRUE(taken.wait().orExit().finished());
  EXPECT_EQ(taken.cycles().ended.has_value(), !isAlone());
}

TEST_P(OneDevice, MessagesAreAnswered) {
  leno::Kernel serve = leno::Module::assemble(Service, "serve.s").orExit().kernel().orExit();
  leno::MessageChannel channel = leno::MessageChannel::create(place(), 1, 3).orExit();
  leno::Stream stream = leno::Stream::create(place()).orExit();
  leno::LaunchConfig config{.maximumInstructions = 0, .channels = {&channel}};
  stream.launch(serve, config, channel.buffer(), channel.slotBytes()).orExit();
  EXPECT_EQ(*channel.call(41, Words{}), (Words{42, 0, 0}));
  EXPECT_EQ(*channel.call(7, Words{}), (Words{8, 0, 0}));
  channel.stop();
  stream.synchronize().orExit();
}

TEST_P(OneDevice, CommandsAreOnTheClock) {
  leno::Context &mine = commands();
  std::vector<std::string> kinds;
  device
      .onEvent([&](const leno::ContextEvent &event) {
        if (event.context == name())
          kinds.push_back(event.kind);
      })
      .orExit();
  leno::Buffer x = mine.upload(Words(64, 1), "x").orExit(),
               y = mine.allocate<std::uint32_t>(64, "y").orExit();
  leno::Buffer later = mine.allocateOnDemand(256, "later").orExit();
  Words seen(64);
  mine.acquire(5, 1).orExit();
  mine.launch(step, over(64), x, 64u, 2u, 1u).orExit();                    // 3
  auto touched = mine.launch(step, over(64), later, 64u, 1u, 1u).orExit(); // 1
  mine.copy(x, 0, y, 0, 256).orExit();
  mine.setConstant(module, 2, 0, 5u).orExit();
  mine.syncToken(1, 1).orExit();
  mine.launch(step, over(64), y, 64u, 1u, 1u).orExit(); // 8
  mine.download(y, seen).orExit();
  mine.release(6, 9).orExit();
  EXPECT_FALSE(mine.isIdle());
  EXPECT_SAYS(mine.synchronize(), "context '" + name() + "' cannot go on");
  device.release(5, 1).orExit();
  mine.synchronize().orExit();
  EXPECT_EQ(seen, Words(64, 8));
  EXPECT_EQ(later.download<std::uint32_t>().orExit(), Words(64, 1));
  EXPECT_EQ(device.semaphore(6), 9u);
  EXPECT_EQ(mine.counts().commands, 9u);
  EXPECT_GT(mine.counts().pageFaults, 0u);
  EXPECT_GT(*touched.cycles().ended, *touched.cycles().started);
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "GridStarts"), 3);
  device.onEvent(nullptr).orExit(); // what it uses ends before the contexts do
}

TEST_P(OneDevice, ATrapIsToldInFull) {
  leno::Buffer x = place().upload(Words(64, 1), "x").orExit();
  auto result = leno::launch(place(), step, over(64), x, 64u, 0xdeadu, 1u).orExit();
  ASSERT_TRUE(result.trap);
  EXPECT_EQ(result.trap->kind, "ADDRESS_OUT_OF_RANGE");
  EXPECT_EQ(result.trap->file, "step.s");
  EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(64, 1));
  auto again = leno::launch(place(), step, over(64), x, 64u, 2u, 1u);
  if (isAlone()) // where contexts share the machine it ends its own [S4]
    EXPECT_SAYS(again, "");
  else
    EXPECT_SAYS(again, "context '" + name() + "' has ended: kernel 'step': ADDRESS_OUT_OF_RANGE at wait+");
}

TEST_P(OneDevice, AKillEndsWhatRuns) {
  leno::Context &mine = commands();
  leno::Buffer x = mine.upload(Words(64, 1), "x").orExit();
  auto slow = mine.launch(step, over(64), x, 64u, 2u, 1'000'000u).orExit();
  EXPECT_EQ(device.run(2000).orExit(), leno::RunStop::Cycle);
  device.kill(mine, "enough").orExit();
  EXPECT_EQ(slow.wait().orExit().trap->kind, "TIMEOUT");
  EXPECT_SAYS(mine.status(), "enough");
}

//===--- From alone to several ------------------------------------------------===//

TEST(DeviceTest, WhatWasDoneAloneIsThereWhenContextsShareTheMachine) {
  for (const char *models :
       {"constants.model=caches", "stack.model=cache", "l2.model=slices", "l1.model=cache"}) {
    leno::Device device = leno::Device::create({"sm.count=2", models}).orExit();
    leno::Module module = leno::Module::assemble(StepKernel, "step.s").orExit();
    leno::Kernel step = module.kernel("step").orExit();
    leno::Buffer x = device.upload(Words(300, 1), "x").orExit();
    leno::launch(device, step, over(300), x, 300u, 2u, 1u).orExit(); // 3
    leno::Stream stream = leno::Stream::create(device).orExit();
    stream.setConstant(module, 2, 0, 7u).orExit();
    stream.launch(step, over(300), x, 300u, 1u, 2000u).orExit(); // 10, and may be under way
    leno::Context beside = device.createContext().orExit();
    leno::Buffer y = beside.upload(Words(300, 1), "y").orExit();
    auto pending = beside.launch(step, over(300), y, 300u, 2u, 1u).orExit(); // 3, with its own constants
    stream.setConstant(module, 2, 0, 9u).orExit();
    stream.launch(step, over(300), x, 300u, 2u, 1u).orExit(); // 29
    stream.synchronize().orExit();
    pending.wait().orExit();
    EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(300, 29)) << models;
    EXPECT_EQ(y.download<std::uint32_t>().orExit(), Words(300, 3)) << models;
    EXPECT_EQ(leno::launch(device, step, over(300), x, 300u, 1u, 1u).orExit().finished(), true); // 38
    EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(300, 38)) << models;
  }
}

TEST(DeviceTest, ContextsDoNotWaitForALaunchThatMayNeverEnd) {
  leno::Device device = leno::Device::create({"sm.count=1"}).orExit();
  leno::Kernel serve = leno::Module::assemble(Service, "serve.s").orExit().kernel().orExit();
  leno::MessageChannel channel = leno::MessageChannel::create(device, 1, 1).orExit();
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::LaunchConfig config{.maximumInstructions = 0, .channels = {&channel}};
  stream.launch(serve, config, channel.buffer(), channel.slotBytes()).orExit();
  EXPECT_EQ(*channel.call(1, Words{}), (Words{2})); // it runs
  EXPECT_SAYS(device.createContext(), "may never end: it has message channels");
  channel.stop();
  stream.synchronize().orExit();
  EXPECT_TRUE(device.createContext());
}

TEST(DeviceTest, AContextWaitsForItsStreams) {
  leno::Device device = leno::Device::create({"sm.count=2"}).orExit();
  leno::Kernel step = leno::Module::assemble(StepKernel, "step.s").orExit().kernel().orExit();
  Words seen(64);
  leno::Context context = device.createContext().orExit();
  leno::Buffer x = context.upload(Words(64, 1), "x").orExit();
  leno::Stream stream = leno::Stream::create(context).orExit();
  stream.launch(step, over(64), x, 64u, 2u, 5000u).orExit();
  stream.download(x, seen).orExit();
  {
    leno::Context gone = std::move(context);
  }
  EXPECT_EQ(seen, Words(64, 3));
  EXPECT_SAYS(stream.synchronize(), "");
  EXPECT_SAYS(stream.upload(x, Words(64)), "the stream's context is gone");
  EXPECT_SAYS(leno::Stream::create(context), "moved from");
  EXPECT_SAYS(leno::launch(context, step, over(64), x, 64u, 1u, 1u), "moved from");
}

TEST(DeviceTest, HostThreadsRunOneMachineTogether) {
  leno::Device device = leno::Device::create({"sm.count=4", "timing.model=cycles"}).orExit();
  leno::Kernel step = leno::Module::assemble(StepKernel, "step.s").orExit().kernel().orExit();
  leno::Kernel serve = leno::Module::assemble(Service, "serve.s").orExit().kernel().orExit();
  leno::Context service = device.createContext({.name = "service"}).orExit();
  leno::MessageChannel channel = leno::MessageChannel::create(service, 1, 1).orExit();
  leno::LaunchConfig forEver{.maximumInstructions = 0, .channels = {&channel}};
  auto serving = service.launch(serve, forEver, channel.buffer(), channel.slotBytes()).orExit();
  std::vector<leno::Context> contexts;
  for (int i = 0; i < 3; ++i)
    contexts.push_back(device.createContext().orExit());
  std::vector<std::thread> threads;
  for (leno::Context &context : contexts)
    threads.emplace_back([&] {
      leno::Stream stream = leno::Stream::create(context).orExit();
      leno::Buffer x = context.upload(Words(128, 1), "x").orExit();
      for (int i = 0; i < 10; ++i)
        stream.launch(step, over(128), x, 128u, 1u, 20u).orExit();
      stream.synchronize().orExit();
      EXPECT_EQ(x.download<std::uint32_t>().orExit(), Words(128, 11));
    });
  threads.emplace_back([&] { EXPECT_TRUE(serving.wait().orExit().finished()); });
  for (std::uint32_t i = 0; i < 20; ++i)
    EXPECT_EQ(*channel.call(i, Words{}), (Words{i + 1}));
  channel.stop();
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_TRUE(serving.isDone());
}

TEST(DeviceTest, AKilledServiceLeavesNobodyWaiting) {
  leno::Device device = leno::Device::create({"sm.count=1"}).orExit();
  leno::Kernel serve = leno::Module::assemble(Service, "serve.s").orExit().kernel().orExit();
  leno::Context service = device.createContext({.name = "service"}).orExit();
  leno::MessageChannel channel = leno::MessageChannel::create(service, 1, 1).orExit();
  auto launch =
      service.launch(serve, {.channels = {&channel}}, channel.buffer(), channel.slotBytes()).orExit();
  EXPECT_SAYS(service.launch(serve, {.channels = {&channel}}, channel.buffer(), channel.slotBytes()),
              "another launch serves the message channel already");
  EXPECT_EQ(device.run(5000).orExit(), leno::RunStop::Cycle);
  auto number = channel.send(Words{1}).orExit();
  device.kill(service, "enough").orExit();
  EXPECT_SAYS(channel.receive(number), "there is no reply to message 1: the kernel trapped: TIMEOUT");
  EXPECT_SAYS(launch.wait(), "");
}
