// Streams as a program outside of the tree meets them.
#include "Says.h"
#include "StepKernel.h"
#include "leno/Leno.h"

#include "gtest/gtest.h"
#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <thread>

namespace {

const std::string Kernels = std::string(StepKernel) + R"(
.kernel waitfor
.param  ptr flag
        MOV   R1, c[0][flag]
again:  LDG   R2, [R1]
        ISETP.eq P0, R2, 0
  @P0   BRA   again
        EXIT
.endkernel
)";

using Words = std::vector<std::uint32_t>;

class Streams : public testing::Test {
protected:
  Streams()
      : device(leno::Device::create().orExit()), module(leno::Module::assemble(Kernels, "step.s").orExit()),
        step(module.kernel("step").orExit()), waitFor(module.kernel("waitfor").orExit()) {}

  leno::Buffer words(std::uint32_t count, const char *name = "words") {
    Words ones(count, 1);
    return device.upload(ones, name).orExit();
  }
  static leno::LaunchConfig over(std::uint32_t count) { return {.grid = {(count + 63) / 64}, .block = {64}}; }
  static leno::LaunchConfig withoutLimit() {
    leno::LaunchConfig config;
    config.maximumInstructions = 0;
    return config;
  }
  auto launch(leno::Stream &stream, const leno::Buffer &buffer, std::uint32_t a, std::uint32_t turns = 1) {
    std::uint32_t n = std::uint32_t(buffer.size() / 4);
    return stream.launch(step, over(n), buffer, n, a, turns);
  }

  leno::Device device;
  leno::Module module;
  leno::Kernel step, waitFor;
};

} // namespace

TEST_F(Streams, CommandsOfAStreamRunInOrder) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer buffer = words(100);
  Words before(100), after(100), start(100, 5);
  stream.upload(buffer, start).orExit();
  launch(stream, buffer, 3).orExit(); // 16
  stream.download(buffer, before).orExit();
  start.assign(100, 9);               // what was to upload was copied
  launch(stream, buffer, 2).orExit(); // 33
  stream.setConstant(module, 2, 0, 10u).orExit();
  launch(stream, buffer, 1).orExit(); // 43
  stream.download(buffer, after).orExit();
  stream.synchronize().orExit();
  EXPECT_TRUE(stream.isIdle());
  EXPECT_EQ(before, Words(100, 16));
  EXPECT_EQ(after, Words(100, 43));
}

TEST_F(Streams, CallsReturnBeforeTheirCommandsHaveRun) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer flag = device.allocate(4, "flag").orExit();
  leno::PendingLaunch pending =
      stream.launch(waitFor, withoutLimit(), flag).orExit(); // for ever, were it waited for
  EXPECT_FALSE(stream.isIdle());
  flag.upload(Words{1}).orExit();
  leno::LaunchResult result = pending.wait().orExit();
  EXPECT_TRUE(result.finished());
  EXPECT_GT(result.warpInstructions, 4u);
}

TEST_F(Streams, StreamsRunSideBySide) {
  leno::Stream first = leno::Stream::create(device).orExit(), second = leno::Stream::create(device).orExit();
  leno::Buffer a = device.allocate(4, "a").orExit(), b = device.allocate(4, "b").orExit();
  leno::Buffer sum = words(64);
  Words between(64), after(64);
  first.launch(waitFor, withoutLimit(), a).orExit(); // the second's copy lets it go on
  launch(first, sum, 3).orExit();
  first.download(sum, between).orExit();
  first.upload(b, Words{1}).orExit();
  launch(second, sum, 2).orExit();
  second.upload(a, Words{1}).orExit();
  second.launch(waitFor, withoutLimit(), b).orExit(); // the first's copy lets it go on
  launch(second, sum, 5).orExit();
  second.download(sum, after).orExit();
  second.synchronize().orExit();
  first.synchronize().orExit();
  std::uint32_t expected = (1 * 2 + 1) * 3 + 1; // the second's launch, then the first's
  EXPECT_EQ(between, Words(64, expected));
  EXPECT_EQ(after, Words(64, expected * 5 + 1));
}

// Each launch alone has stacks of its own: one whose stack is cached waits for no other stream's.
TEST_F(Streams, StreamsRunSideBySideWithTheStackCacheOn) {
  for (const char *model : {"stack.model=cache", "stack.model=memory"}) {
    leno::Device cached = leno::Device::create({model}).orExit();
    leno::Stream first = leno::Stream::create(cached).orExit(), second = leno::Stream::create(cached).orExit();
    leno::Buffer flag = cached.allocate(4, "flag").orExit();
    Words ones(64, 1);
    leno::Buffer sum = cached.upload(ones, "sum").orExit();
    leno::LaunchConfig limited;
    limited.maximumInstructions = 2'000'000'000;
    leno::PendingLaunch waits = first.launch(waitFor, limited, flag).orExit();
    second.launch(step, over(64), sum, 64u, 2u, 1u).orExit(); // it would never begin
    second.upload(flag, Words{1}).orExit();
    second.synchronize().orExit();
    EXPECT_TRUE(waits.wait().orExit().finished());
    EXPECT_EQ(sum.download<std::uint32_t>().orExit(), Words(64, 3));
  }
}

TEST_F(Streams, ACopySeesTheKernelsBeforeItAndNoneAfterIt) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer buffer = words(100);
  std::vector<Words> seen(12, Words(100)), expected;
  Words value(100, 1);
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    if (i % 4 == 3) // other elements than the launches before it left
      for (std::uint32_t j = 0; j < 100; ++j)
        value[j] = i * 1000 + j;
    if (i % 4 == 3)
      stream.upload(buffer, value).orExit();
    launch(stream, buffer, i + 2, 500).orExit();
    stream.download(buffer, seen[i]).orExit();
    for (std::uint32_t &element : value)
      element = element * (i + 2) + 1;
    expected.push_back(value);
  }
  stream.synchronize().orExit();
  EXPECT_EQ(seen, expected);
}

TEST_F(Streams, TwoStreamsTakeTurnsByTheirEvents) {
  leno::Stream streams[] = {leno::Stream::create(device).orExit(), leno::Stream::create(device).orExit()};
  leno::Buffer buffer = words(64);
  leno::Event done[2];
  std::vector<Words> seen(24, Words(64)), expected;
  std::uint32_t value = 1;
  for (std::uint32_t i = 0; i < seen.size(); ++i) {
    leno::Stream &stream = streams[i % 2];
    stream.wait(done[(i + 1) % 2]).orExit();
    // x * a + 1: another order of the launches gives another number.
    launch(stream, buffer, i % 5 + 2, i % 2 ? 1 : 3000).orExit();
    stream.download(buffer, seen[i]).orExit();
    stream.record(done[i % 2]).orExit();
    value = value * (i % 5 + 2) + 1;
    expected.push_back(Words(64, value));
  }
  for (leno::Event &event : done)
    event.synchronize().orExit();
  EXPECT_EQ(seen, expected);
}

TEST_F(Streams, AnEventOrdersStreams) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    leno::Stream maker = leno::Stream::create(device).orExit(), user = leno::Stream::create(device).orExit();
    leno::Buffer buffer = words(64);
    leno::Event made, never;
    EXPECT_TRUE(never.isDone());
    never.synchronize().orExit();
    launch(maker, buffer, 3, 2000).orExit(); // 4
    maker.record(made).orExit();
    user.wait(never).orExit();
    user.wait(made).orExit();
    launch(user, buffer, 5).orExit(); // 21
    made.synchronize().orExit();
    EXPECT_TRUE(made.isDone());
    user.synchronize().orExit();
    EXPECT_EQ(buffer.download<std::uint32_t>().orExit(), Words(64, 21));
  }
}

TEST_F(Streams, AnEventIsThePlaceOfItsLastRecord) {
  leno::Stream stream = leno::Stream::create(device).orExit(), user = leno::Stream::create(device).orExit();
  leno::Buffer flag = device.allocate(4, "flag").orExit(), buffer = words(64);
  leno::Event event, copy = event;
  stream.record(event).orExit();
  event.synchronize().orExit();
  stream.launch(waitFor, withoutLimit(), flag).orExit();
  launch(stream, buffer, 6, 5000).orExit();
  stream.record(event).orExit();
  EXPECT_FALSE(copy.isDone()) << "copies are the same event";
  Words seen(64);
  user.wait(copy).orExit();
  user.download(buffer, seen).orExit();
  flag.upload(Words{1}).orExit();
  copy.synchronize().orExit();
  user.synchronize().orExit();
  EXPECT_EQ(seen, Words(64, 7)) << "not what was there at the first record";
}

TEST_F(Streams, AFunctionIsCalledInItsTurn) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer buffer = words(64);
  Words seen;
  launch(stream, buffer, 6, 5000).orExit();
  stream.call([&] { seen = buffer.download<std::uint32_t>().orExit(); }).orExit();
  launch(stream, buffer, 0).orExit();
  stream.synchronize().orExit();
  EXPECT_EQ(seen, Words(64, 7));
  EXPECT_EQ(buffer.download<std::uint32_t>().orExit(), Words(64, 1));
}

TEST_F(Streams, ATrapEndsTheStreamWithItsText) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer buffer = words(64, "victims"), other = words(64);
  Words untouched(64, 3);
  leno::PendingLaunch trapped =
      stream.launch(step, over(128), buffer, 128u, 1u, 1u).orExit(); // n is past the buffer
  auto after = launch(stream, other, 9);
  (void)stream.download(other, untouched);
  leno::Event event;
  (void)stream.record(event);
  EXPECT_EQ(trapped.wait().orExit().trap->kind, "ADDRESS_OUT_OF_RANGE");
  for (const char *part : {"kernel 'step': ADDRESS_OUT_OF_RANGE", "'victims'", "step.s:"})
    EXPECT_SAYS(stream.synchronize(), part);
  EXPECT_SAYS(launch(stream, other, 9), "ADDRESS_OUT_OF_RANGE");
  EXPECT_SAYS(stream.call([] {}), "ADDRESS_OUT_OF_RANGE");
  EXPECT_SAYS(event.synchronize(), "ADDRESS_OUT_OF_RANGE");
  if (after)
    EXPECT_SAYS(after->wait(),
                "kernel 'step' did not run: its stream had failed before: kernel 'step': ADDRESS_");
  EXPECT_EQ(untouched, Words(64, 3)) << "what comes after a failure does not run";
  EXPECT_EQ(other.download<std::uint32_t>().orExit(), Words(64, 1));

  EXPECT_SAYS(stream.reset(), "ADDRESS_OUT_OF_RANGE");
  launch(stream, other, 4).orExit();
  stream.synchronize().orExit();
  EXPECT_EQ(other.download<std::uint32_t>().orExit(), Words(64, 5));
}

TEST_F(Streams, AMistakeIsToldByTheCallAndEndsTheStream) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer buffer = words(64);
  auto wrong = stream.launch(step, over(64), buffer, 64, 1u, 1u);
  EXPECT_SAYS(wrong, "argument 2 of kernel step(ptr out, u32 n, u32 a, u32 turns) is an i32");
  EXPECT_SAYS(stream.synchronize(), "argument 2 of kernel step(");
  EXPECT_SAYS(launch(stream, buffer, 1), "argument 2 of kernel step("); // the first mistake stays
  EXPECT_FALSE(stream.reset());
  EXPECT_SAYS(stream.launch(leno::Kernel(), over(64)), "load a Module");
  EXPECT_FALSE(stream.reset());
  EXPECT_SAYS(stream.upload(buffer, Words(3), 62), "12 bytes at byte 248 pass its end (256 bytes)");
  EXPECT_FALSE(stream.reset());
  Words few(3);
  EXPECT_SAYS(stream.download(buffer, few, UINT64_MAX / 2), "past the buffer's end");
  EXPECT_FALSE(stream.reset());
  stream.synchronize().orExit();
}

TEST_F(Streams, ALimitIsToldWhenItsTurnComes) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer buffer = words(64);
  leno::PendingLaunch pending =
      stream.launch(step, {.grid = {1}, .block = {2000}}, buffer, 64u, 1u, 1u).orExit();
  EXPECT_SAYS(stream.synchronize(), "kernel 'step': a block of 2000 x 1 x 1 threads does not fit");
  EXPECT_SAYS(pending.wait(), "1024 threads");
}

TEST_F(Streams, AFailedEventFailsWhoWaitsForIt) {
  leno::Stream bad = leno::Stream::create(device).orExit(), good = leno::Stream::create(device).orExit();
  leno::Buffer buffer = words(64);
  leno::Event event;
  bad.launch(step, over(128), buffer, 128u, 1u, 1u).orExit();
  (void)bad.record(event);
  (void)good.wait(event);
  EXPECT_SAYS(good.synchronize(), "an event that the stream waits for has failed: kernel 'step': ADDRESS_");
}

TEST_F(Streams, ConstantsChangeInTheirTurnAndWithinTheirModule) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer buffer = words(64);
  for (std::uint32_t i = 0; i < 50; ++i) {
    stream.setConstant(module, 2, 0, i).orExit();
    launch(stream, buffer, 1, 50).orExit();
  }
  stream.synchronize().orExit();
  EXPECT_EQ(buffer.download<std::uint32_t>().orExit(), Words(64, 1 + 49 * 50 / 2));

  EXPECT_SAYS(stream.setConstant(module, 0, 0, 1u), "bank 0 holds each launch's own");
  EXPECT_FALSE(stream.reset());
  EXPECT_SAYS(stream.setConstant(module, 16, 0, 1u), "banks are 1 to 15");
  EXPECT_FALSE(stream.reset());
  EXPECT_SAYS(stream.setConstant(module, 3, 0, 1u), "the module has no constants there (.const 3)");
  EXPECT_FALSE(stream.reset());
  EXPECT_SAYS(stream.setConstants(module, 2, 4, std::span<const std::uint32_t>(Words{1, 2})),
              "cannot write 8 bytes at c[2][4]: they pass the 8 bytes that the module has there");
}

TEST_F(Streams, ABufferFreedWhileItIsUsedLivesUntilThen) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer flag = device.allocate(4, "flag").orExit(), buffer = words(64);
  Words got(64);
  stream.launch(waitFor, withoutLimit(), flag).orExit();
  launch(stream, buffer, 3).orExit();
  stream.download(buffer, got).orExit();
  buffer.free();
  EXPECT_FALSE(buffer.valid());
  EXPECT_EQ(device.bytesAllocated(), 4u + 256) << "not yet";
  leno::Stream other = leno::Stream::create(device).orExit();
  EXPECT_SAYS(other.download(buffer, got), "holds no memory");
  flag.upload(Words{1}).orExit();
  stream.synchronize().orExit();
  EXPECT_EQ(device.bytesAllocated(), 4u);
  EXPECT_EQ(got, Words(64, 4));
}

TEST_F(Streams, AllocatingGoesOnWhileAKernelRuns) {
  leno::Stream stream = leno::Stream::create(device).orExit();
  leno::Buffer flag = device.allocate(4, "flag").orExit();
  stream.launch(waitFor, {.grid = {8}, .block = {32}, .maximumInstructions = 0, .threads = 2}, flag).orExit();
  for (int i = 0; i < 50; ++i) {
    leno::Buffer some = words(1000);
    EXPECT_EQ(some.download<std::uint32_t>().orExit(), Words(1000, 1));
    leno::launch(device, step, over(1000), some, 1000u, 2u, 1u).orExit();
    EXPECT_EQ(some.download<std::uint32_t>().orExit(), Words(1000, 3));
  }
  flag.upload(Words{1}).orExit();
  stream.synchronize().orExit();
}

TEST_F(Streams, ADeviceThatGoesWaitsForItsStreams) {
  std::atomic<bool> called = false;
  std::optional<leno::Device> shortLived = leno::Device::create().orExit();
  leno::Stream stream = leno::Stream::create(*shortLived).orExit();
  leno::Buffer buffer = shortLived->upload(Words(64, 1)).orExit();
  Words got(64);
  stream.launch(step, over(64), buffer, 64u, 7u, 20000u).orExit();
  stream.download(buffer, got).orExit();
  stream.call([&] { called = true; }).orExit();
  shortLived.reset();
  EXPECT_TRUE(called);
  EXPECT_EQ(got, Words(64, 8));
  EXPECT_FALSE(buffer.valid());
  EXPECT_TRUE(stream.isIdle());
  EXPECT_SAYS(stream.call([] {}), "the stream's device is gone");
  EXPECT_SAYS(stream.launch(step, over(64), buffer, 64u, 7u, 1u), "the stream's device is gone");
  stream.synchronize().orExit();
}

TEST_F(Streams, AStreamThatGoesWaitsForItsCommands) {
  leno::Buffer buffer = words(64);
  {
    leno::Stream stream = leno::Stream::create(device).orExit();
    launch(stream, buffer, 7, 20000).orExit();
  }
  EXPECT_EQ(buffer.download<std::uint32_t>().orExit(), Words(64, 8));
}

TEST_F(Streams, AStreamMayGoInItsOwnCall) {
  auto stream = std::make_unique<leno::Stream>(leno::Stream::create(device).orExit());
  leno::Event event;
  std::atomic<bool> gone = false;
  stream->call([&] { stream.reset(), gone = true; }).orExit();
  while (!gone)
    std::this_thread::yield();
  EXPECT_FALSE(stream);
}

TEST_F(Streams, MovedAndForeignObjectsAreMistakes) {
  leno::Stream stream = leno::Stream::create(device).orExit(), moved = std::move(stream);
  leno::Buffer buffer = words(64);
  leno::Event event;
  EXPECT_SAYS(launch(stream, buffer, 1), "the stream was moved from");
  EXPECT_SAYS(stream.upload(buffer, Words(1)), "the stream was moved from");
  EXPECT_SAYS(stream.record(event), "the stream was moved from");
  EXPECT_SAYS(stream.synchronize(), "the stream was moved from");
  EXPECT_TRUE(stream.isIdle());

  leno::Device other = leno::Device::create().orExit();
  leno::Buffer far = other.allocate(256, "far").orExit();
  EXPECT_SAYS(moved.upload(far, Words(1)), "'far' belongs to another device, not to context 'main'");
  EXPECT_FALSE(moved.reset());
  EXPECT_SAYS(launch(moved, far, 1), "'far', belongs to another device");
  EXPECT_FALSE(moved.reset());
  leno::Buffer taken = std::move(buffer);
  EXPECT_SAYS(moved.upload(buffer, Words(1)), "holds no memory");
  EXPECT_FALSE(moved.reset());
  leno::Module gone = std::move(module);
  EXPECT_SAYS(moved.setConstant(module, 2, 0, 1u), "a module that was moved from");
  leno::Device heir = std::move(other);
  EXPECT_SAYS(leno::Stream::create(other), "a device or context that was moved from");
}

TEST_F(Streams, RandomCommandsOfManyStreamsGiveWhatEachGivesAlone) {
  // Each stream works on buffers of its own; the numbers are those of plain C++.
  constexpr unsigned count = 4;
  std::vector<leno::Stream> streams;
  std::vector<leno::Buffer> buffers;
  std::vector<std::uint32_t> expected(count, 1);
  for (unsigned i = 0; i < count; ++i) {
    streams.push_back(leno::Stream::create(device).orExit());
    buffers.push_back(words(200));
  }
  std::mt19937 random(1);
  for (unsigned i = 0; i < 400; ++i) {
    unsigned which = random() % count;
    std::uint32_t a = random() % 7;
    switch (random() % 4) {
    case 0:
      streams[which].upload(buffers[which], Words(200, a)).orExit();
      expected[which] = a;
      break;
    case 1: { // a buffer of a moment, freed at once
      leno::Buffer moment = words(100);
      streams[which].launch(step, over(100), moment, 100u, a, 10u).orExit();
      break;
    }
    default:
      streams[which]
          .launch(step, {.grid = {4}, .block = {64}, .threads = unsigned(random() % 3)}, buffers[which], 200u,
                  a, 20u)
          .orExit();
      expected[which] = expected[which] * a + 1;
    }
  }
  for (unsigned i = 0; i < count; ++i) {
    streams[i].synchronize().orExit();
    EXPECT_EQ(buffers[i].download<std::uint32_t>().orExit(), Words(200, expected[i]));
  }
  EXPECT_EQ(device.bytesAllocated(), 800u * count);
}

TEST_F(Streams, WithStacksInMemoryLaunchesTakeTurns) {
  leno::Device cached = leno::Device::create({"stack.model=cache", "stack.entries=8"}).orExit();
  leno::Stream first = leno::Stream::create(cached).orExit(), second = leno::Stream::create(cached).orExit();
  leno::Buffer a = cached.upload(Words(64, 1)).orExit(), b = cached.upload(Words(64, 2)).orExit();
  for (int i = 0; i < 10; ++i) {
    first.launch(step, over(64), a, 64u, 2u, 100u).orExit();
    second.launch(step, over(64), b, 64u, 2u, 100u).orExit();
  }
  first.synchronize().orExit();
  second.synchronize().orExit();
  EXPECT_EQ(a.download<std::uint32_t>().orExit(), Words(64, 2047));
  EXPECT_EQ(b.download<std::uint32_t>().orExit(), Words(64, 3071));
}
