#include "test/unit/Effort.h"

#include "leno/Leno.h"

#include "gtest/gtest.h"
#include <thread>

// Messages to a kernel that runs, and back: each test has a kernel for what it pins.
using Words = std::vector<std::uint32_t>;

namespace {

/// One lane a slot; replies with word 0 plus 1 and the message's number.
const char *const incrementer = R"(
        .kernel serve
        .param  ptr channel
        .param  u32 slotBytes
        .param  u32 slots
        S2R     R0, SR_TID.X
        IMUL    R6, R0, c[0][slotBytes]
        IADD    R6, R6, 0x100
        IADD.CC R4, R6, c[0][channel]
        IADD.X  R5, RZ, c[0][channel+4]
        MOV     R7, c[0][slotBytes]
        SHR.u32 R7, R7, 1
        IADD.CC R6, R4, R7
        IADD.X  R7, R5, RZ
        MOV     R2, c[0][channel]
        MOV     R3, c[0][channel+4]
        IADD    R8, R0, 1
poll:   LDG     R10, [R2.64]
        ISETP.ne P0, R10, RZ
  @P0   EXIT
        LDG     R10, [R4.64]
        ISETP.eq P0, R10, R8
  @P0   LDG     R11, [R4.64+4]
  @P0   IADD    R11, R11, 1
  @P0   STG     [R6.64+4], R11
  @P0   STG     [R6.64+8], R8
  @P0   STG     [R6.64], R8
  @P0   IADD    R8, R8, c[0][slots]
        BRA     poll
        .endkernel

        .kernel ends
        .param  ptr channel
        .param  u32 slotBytes
        .param  u32 slots
        EXIT
        .endkernel

        .kernel traps
        .param  ptr channel
        .param  u32 slotBytes
        .param  u32 slots
        LDG     R0, [RZ]
        EXIT
        .endkernel
)";

class Messages : public testing::Test {
protected:
  void start(const char *kernel, std::uint32_t block = 4) {
    leno::Kernel found = module.kernel(kernel).orExit();
    leno::LaunchConfig config{
        .grid = {1}, .block = {block}, .maximumInstructions = 0, .channels = {&channel}};
    thread = std::thread([this, found, config] {
      result = leno::launch(device, found, config, channel.buffer(), channel.slotBytes(), channel.slots())
                   .orExit();
    });
  }
  void finish() {
    channel.stop();
    thread.join();
  }
  leno::Device device = leno::Device::create({"sm.count=1"}).orExit();
  leno::Module module = leno::Module::assemble(incrementer, "incrementer.s").orExit();
  leno::MessageChannel channel = leno::MessageChannel::create(device, 4, 3).orExit();
  leno::LaunchResult result;
  std::thread thread;
};

template <typename T> std::string errorOf(const leno::Result<T> &result) {
  return result ? "success" : result.error().message();
}

} // namespace

TEST_F(Messages, ACallReturnsItsReply) {
  start("serve");
  auto reply = channel.call(41, Words{7});
  ASSERT_TRUE(reply) << errorOf(reply);
  EXPECT_EQ(*reply, (Words{42, 1, 0}));
  EXPECT_EQ(*channel.call(100, Words{}), (Words{101, 2, 0}));
  finish();
  EXPECT_TRUE(result.finished());
}

TEST_F(Messages, RepliesMayBeTakenInAnyOrderAndSentBeforeTheKernelRuns) {
  std::vector<std::uint64_t> numbers;
  for (std::uint32_t i = 0; i < 20; ++i)
    numbers.push_back(channel.send(Words{i * 10}).orExit());
  start("serve");
  for (std::uint32_t i = 20; i-- > 0;)
    EXPECT_EQ((*channel.receive(numbers[i]))[0], i * 10 + 1);
  EXPECT_EQ(errorOf(channel.receive(numbers[3])), "there is no reply to message 4: it was taken already");
  EXPECT_EQ(errorOf(channel.receive(21)), "there is no reply to message 21: it was never sent");
  finish();
}

TEST_F(Messages, StopWaitsForAllReplies) {
  start("serve");
  auto number = channel.send(Words{5});
  finish();
  EXPECT_EQ((*channel.receive(*number))[0], 6u);
  EXPECT_EQ(errorOf(channel.send(Words{1})), "cannot send a message: the channel was stopped");
}

TEST_F(Messages, AKernelThatEndsLeavesNobodyWaiting) {
  start("ends");
  auto number = channel.send(Words{5});
  EXPECT_EQ(errorOf(channel.receive(*number)), "there is no reply to message 1: the kernel has ended");
  thread.join();
}

TEST_F(Messages, ATrapIsToldToThoseWhoWait) {
  auto number = channel.send(Words{5});
  start("traps");
  std::string error = errorOf(channel.receive(*number));
  EXPECT_NE(error.find("there is no reply to message 1: the kernel trapped: "), std::string::npos) << error;
  EXPECT_NE(error.find("ADDRESS_OUT_OF_RANGE"), std::string::npos) << error;
  thread.join();
  EXPECT_TRUE(result.trap.has_value());
}

TEST_F(Messages, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(errorOf(channel.send(Words(4))), "a message of 4 words does not fit: the channel's have 3");
  EXPECT_EQ(errorOf(leno::MessageChannel::create(device, 0, 1)),
            "a message channel of 0 slots; it must have 1 to 65536");
  EXPECT_EQ(errorOf(leno::MessageChannel::create(device, 1, 2000)),
            "a message channel with messages of 2000 words; they must have 1 to 1024");
}

TEST_F(Messages, OneLaunchAtATimeServesAChannel) {
  leno::Kernel kernel = module.kernel("ends").orExit();
  auto twice = leno::launch(device, kernel, {.grid = {1}, .block = {1}, .channels = {&channel, &channel}},
                            channel.buffer(), channel.slotBytes(), channel.slots());
  EXPECT_EQ(errorOf(twice), "kernel 'ends': another launch serves the message channel already");
  EXPECT_EQ(errorOf(leno::launch(device, kernel, {.grid = {1}, .block = {1}, .channels = {&channel}},
                                 channel.buffer(), channel.slotBytes(), channel.slots())),
            "success");
}

// Two threads send and receive while the kernel runs; every reply answers its own message.
TEST_F(Messages, NoneIsLostOrTorn) {
  start("serve");
  std::uint32_t count = leno::test::effort(10000);
  auto client = [&](std::uint32_t first) {
    std::vector<std::uint64_t> numbers;
    for (std::uint32_t i = 0; i < count; ++i) {
      numbers.push_back(channel.send(Words{first + i}).orExit());
      if (i >= 50) {
        auto reply = channel.receive(numbers[i - 50]);
        ASSERT_TRUE(reply) << errorOf(reply);
        ASSERT_EQ(*reply, (Words{first + i - 50 + 1, std::uint32_t(numbers[i - 50]), 0}));
      }
    }
  };
  std::thread other(client, 0x10000000);
  client(0);
  other.join();
  finish();
  EXPECT_TRUE(result.finished());
}
