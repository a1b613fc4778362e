// The host API as a program outside of the tree meets it: public headers alone.
#include "Says.h"
#include "leno/Leno.h"

#include "gtest/gtest.h"
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>

namespace {

constexpr const char *Saxpy = R"(
.kernel saxpy
.param  u32 n
.param  f32 a
.param  ptr x
.param  ptr y
        S2R   R0, SR_TID.X;
        S2R   R1, SR_CTAID.X;
        S2R   R2, SR_NTID.X;
        IMAD  R0, R1, R2, R0;
        ISETP.ge.u32 P0, R0, c[0][n];
  @P0   EXIT;
        SHL   R1, R0, 2;
        IADD  R2, R1, c[0][x];
        IADD  R3, R1, c[0][y];
        LDG   R4, [R2];
        LDG   R5, [R3];
        FFMA  R4, R4, c[0][a], R5;
        STG   [R3], R4;
        EXIT;
.endkernel
)";

constexpr const char *ForEver = R"(
.kernel forever
again:  BRA again;
.endkernel
)";

class HostApi : public testing::Test {
protected:
  HostApi()
      : device(leno::Device::create().orExit()), module(leno::Module::assemble(Saxpy, "saxpy.s").orExit()),
        saxpy(module.kernel("saxpy").orExit()), ones(100, 1.0f) {}

  leno::Device device;
  leno::Module module;
  leno::Kernel saxpy;
  std::vector<float> ones;
  leno::LaunchConfig config{.grid = {4}, .block = {32}};
};

} // namespace

TEST_F(HostApi, SaxpyEndToEnd) {
  std::vector<float> values(100);
  std::iota(values.begin(), values.end(), 0.0f);
  leno::Buffer x = device.upload(values, "x").orExit(), y = device.upload(ones, "y").orExit();
  auto result = leno::launch(device, saxpy, config, 100u, 2.5f, x, y);
  ASSERT_TRUE(result) << messageOf(result);
  EXPECT_TRUE(result->finished());
  auto back = y.download<float>();
  ASSERT_TRUE(back) << messageOf(back);
  for (size_t i = 0; i < values.size(); ++i)
    EXPECT_EQ((*back)[i], 2.5f * values[i] + 1) << i;
}

TEST_F(HostApi, StatisticsAreCountedOnRequestAndAlwaysTheSame) {
  leno::Buffer x = device.upload(ones).orExit(), y = device.upload(ones).orExit();
  auto without = leno::launch(device, saxpy, config, 100u, 2.0f, x, y).orExit();
  EXPECT_FALSE(without.statistics);
  config.statistics = true;
  auto first = leno::launch(device, saxpy, config, 100u, 2.0f, x, y).orExit();
  auto second = leno::launch(device, saxpy, config, 100u, 2.0f, x, y).orExit();
  ASSERT_TRUE(first.statistics && second.statistics);
  EXPECT_EQ(first.statistics->ctas, 4u);
  EXPECT_EQ(first.statistics->warps, 4u);
  // 3 full warps and one of 4 lanes, 6 instructions of 32 lanes and 8 of the lanes below 100; the guarded
  // EXIT executes for the other 28 lanes alone.
  EXPECT_EQ(first.statistics->warpInstructions, 4u * 14);
  EXPECT_EQ(first.statistics->laneOperations, 4u * 5 * 32 + 28 + 100 * 8);
  EXPECT_EQ(first.statistics->globalBytesLoaded, 800u);
  EXPECT_EQ(first.statistics->globalBytesStored, 400u);
  EXPECT_EQ(first.statistics->laneOperations, second.statistics->laneOperations);
  EXPECT_EQ(first.warpInstructions, without.warpInstructions);
}

TEST_F(HostApi, TheNumberOfHostThreadsChangesNothing) {
  leno::Buffer x = device.upload(ones).orExit();
  config.statistics = true;
  std::vector<leno::LaunchResult> results;
  for (unsigned threads : {1, 2, 4}) {
    leno::Buffer y = device.upload(ones).orExit();
    config.threads = threads;
    results.push_back(leno::launch(device, saxpy, config, 100u, 2.0f, x, y).orExit());
    EXPECT_EQ(y.download<float>().orExit(), std::vector<float>(100, 3.0f));
    EXPECT_EQ(results.back().warpInstructions, results[0].warpInstructions);
    EXPECT_EQ(results.back().statistics->laneOperations, results[0].statistics->laneOperations);
  }
}

TEST_F(HostApi, ThreadsThatALaunchCannotHaveAreRefused) {
  leno::MessageChannel channel = leno::MessageChannel::create(device, 1, 1).orExit();
  leno::Buffer x = device.upload(ones).orExit();
  config.threads = 2;
  config.channels = {&channel};
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, 2.0f, x, x),
              "kernel 'saxpy': message channels are served by one thread, not 2");
  leno::Device timed = leno::Device::create({"timing.model=cycles"}).orExit();
  leno::Buffer z = timed.upload(ones).orExit();
  config.channels = {};
  EXPECT_SAYS(leno::launch(timed, saxpy, config, 100u, 2.0f, z, z),
              "kernel 'saxpy': a launch on 2 host threads: timing.model=cycles");
}

TEST_F(HostApi, KernelsTellTheirParameters) {
  ASSERT_EQ(module.kernels().size(), 1u);
  EXPECT_EQ(saxpy.name(), "saxpy");
  EXPECT_EQ(saxpy.signature(), "saxpy(u32 n, f32 a, ptr x, ptr y)");
  EXPECT_EQ(saxpy.sharedBytes(), 0u);
  EXPECT_GE(saxpy.registers(), 6u);
  std::vector<leno::Parameter> parameters = saxpy.parameters();
  ASSERT_EQ(parameters.size(), 4u);
  EXPECT_EQ(parameters[1].name, "a");
  EXPECT_EQ(parameters[1].type, "f32");
  EXPECT_EQ(parameters[1].offset, 0x44u);
  EXPECT_EQ(parameters[2].size, 8u);
  EXPECT_EQ(parameters[3].offset, 0x50u);
}

TEST_F(HostApi, AKernelOutlivesItsModule) {
  leno::Kernel kernel = leno::Module::assemble(Saxpy).orExit().kernel().orExit();
  EXPECT_EQ(kernel.name(), "saxpy");
}

TEST_F(HostApi, ATrapIsAValueAndTheDeviceStaysUsable) {
  leno::Buffer x = device.upload(ones, "x").orExit(), y = device.upload(ones, "y").orExit();
  auto result = leno::launch(device, saxpy, config, 101u, 2.5f, x, y);
  ASSERT_TRUE(result) << messageOf(result);
  EXPECT_FALSE(result->finished());
  const leno::TrapInfo &trap = *result->trap;
  EXPECT_EQ(trap.kind, "ADDRESS_OUT_OF_RANGE");
  EXPECT_EQ(trap.pc, 9 * 8u);
  EXPECT_EQ(trap.label, "saxpy+0x48");
  EXPECT_EQ(trap.file, "saxpy.s");
  EXPECT_EQ(trap.line, 16u);
  EXPECT_EQ(trap.cta, (std::array<std::uint32_t, 3>{3, 0, 0}));
  EXPECT_EQ(trap.warp, 0u);
  EXPECT_EQ(trap.lanes, 1u << 4);
  EXPECT_EQ(trap.address, x.address() + 400);
  for (const char *part : {"ADDRESS_OUT_OF_RANGE", "saxpy.s:16", "CTA (3,0,0)", "lane 4", "'x'"})
    EXPECT_NE(trap.text.find(part), std::string::npos) << trap.text;
  EXPECT_TRUE(leno::launch(device, saxpy, config, 100u, 2.5f, x, y).orExit().finished());
}

TEST_F(HostApi, TheWatchdogEndsAKernelThatRunsForEver) {
  leno::Module endless = leno::Module::assemble(ForEver).orExit();
  config.maximumInstructions = 1000;
  auto result = leno::launch(device, endless.kernel().orExit(), config).orExit();
  ASSERT_TRUE(result.trap);
  EXPECT_EQ(result.trap->kind, "TIMEOUT");
  EXPECT_EQ(result.warpInstructions, 1000u);
}

TEST_F(HostApi, WrongArgumentCountNamesKernelAndTheFirstMissing) {
  leno::Buffer x = device.upload(ones).orExit();
  auto result = leno::launch(device, saxpy, config, 100u, 2.5f, x);
  EXPECT_SAYS(result, "kernel saxpy(u32 n, f32 a, ptr x, ptr y) takes 4 arguments, not 3");
  EXPECT_SAYS(result, "'y', a ptr");
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, 2.5f, x, x, x), "takes 4 arguments, not 5");
}

TEST_F(HostApi, WrongArgumentTypesNameBothTypes) {
  leno::Buffer x = device.upload(ones).orExit();
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100, 2.5f, x, x),
              "argument 1 of kernel saxpy(u32 n, f32 a, ptr x, ptr y) is an i32, but parameter 'n' is a u32");
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, 2.5, x, x), "is an f64, but parameter 'a' is an f32");
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, x, x, x), "is a buffer, but parameter 'a' is an f32");
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, 2.5f, 7u, x),
              "parameter 'x' is a ptr: give a buffer");
}

TEST_F(HostApi, APtrTakesAnAddress) {
  leno::Buffer x = device.upload(ones).orExit();
  EXPECT_TRUE(leno::launch(device, saxpy, config, 100u, 2.5f, x.address(), x).orExit().finished());
}

TEST_F(HostApi, OversizedLaunchesNameTheLimit) {
  leno::Buffer x = device.upload(ones).orExit();
  auto launch = [&](leno::Extent grid, leno::Extent block) {
    return leno::launch(device, saxpy, {.grid = grid, .block = block}, 100u, 2.5f, x, x);
  };
  EXPECT_SAYS(launch({1}, {1025}), "kernel 'saxpy'");
  EXPECT_SAYS(launch({1}, {1025}), "1024 threads");
  EXPECT_SAYS(launch({1}, {0x80000000, 0x80000000, 4}), "1024 threads");
  EXPECT_SAYS(launch({0}, {32}), "at least 1");
  EXPECT_SAYS(launch({1}, {32, 0}), "at least 1");
  EXPECT_SAYS(launch({0x80000000}, {32}), "limit of 2147483647");
  EXPECT_SAYS(launch({0x80000000, 0x80000000, 4}, {32}), "limit of 2147483647");
}

TEST_F(HostApi, TooMuchSharedMemoryNamesTheLimit) {
  leno::Module wide =
      leno::Module::assemble(".kernel wide\n.shared tile, 2048\n EXIT;\n.endkernel\n").orExit();
  leno::Device small = leno::Device::create({"sm.sharedBytes=1024"}).orExit();
  EXPECT_SAYS(leno::launch(small, wide.kernel().orExit(), {}), "1024");
  EXPECT_TRUE(leno::launch(device, wide.kernel().orExit(), {}));
}

TEST_F(HostApi, ALaunchBeforeLoadingIsAnError) {
  EXPECT_SAYS(leno::launch(device, leno::Kernel(), config), "load a Module");
}

TEST_F(HostApi, AFreedBufferCannotBeUsed) {
  leno::Buffer x = device.upload(ones, "x").orExit(), y = device.upload(ones, "y").orExit();
  y.free();
  EXPECT_FALSE(y.valid());
  EXPECT_EQ(device.bytesAllocated(), 400u);
  EXPECT_SAYS(y.upload(ones), "buffer 'y'");
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, 2.5f, x, y),
              "parameter 'y', the buffer 'y', holds no memory");
  leno::Buffer moved = std::move(x);
  EXPECT_TRUE(moved.valid());
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, 2.5f, x, moved), "parameter 'x'");
}

TEST_F(HostApi, MovedObjectsAreMistakesAndNoCrash) {
  leno::Module module2 = std::move(module);
  EXPECT_SAYS(module.kernel("saxpy"), "cannot take the kernel 'saxpy' of a module that was moved from");
  EXPECT_TRUE(module.kernels().empty());
  EXPECT_EQ(module2.kernels().size(), 1u);

  leno::Kernel kernel2 = std::move(saxpy);
  EXPECT_FALSE(saxpy.valid());
  EXPECT_SAYS(leno::launch(device, saxpy, config), "there is no kernel");
  EXPECT_EQ(saxpy.name() + saxpy.signature(), "");
  EXPECT_TRUE(saxpy.parameters().empty());
  EXPECT_EQ(saxpy.registers() + saxpy.sharedBytes(), 0u);

  leno::MessageChannel channel = leno::MessageChannel::create(device, 1, 1).orExit();
  leno::MessageChannel channel2 = std::move(channel);
  EXPECT_SAYS(channel.send({}), "the message channel was moved from");
  EXPECT_SAYS(channel.receive(1), "the message channel was moved from");
  EXPECT_SAYS(channel.call(1, {}), "the message channel was moved from");
  channel.stop();
  EXPECT_FALSE(channel.buffer().valid());
  EXPECT_EQ(channel.slots() + channel.words() + channel.slotBytes(), 0u);
  leno::Buffer x = device.upload(ones).orExit();
  config.channels = {&channel};
  EXPECT_SAYS(leno::launch(device, kernel2, config, 100u, 2.5f, x, x),
              "kernel 'saxpy': a message channel was moved from");

  leno::Device device2 = std::move(device);
  EXPECT_SAYS(leno::MessageChannel::create(device, 1, 1), "its device or context was moved from");
  EXPECT_EQ(device.bytesAllocated(), 0u);
  EXPECT_TRUE(device.settings().empty());
  EXPECT_TRUE(x.valid()) << "a device takes its buffers along";
}

TEST_F(HostApi, ABufferOfAnotherDeviceIsRefused) {
  leno::Device other = leno::Device::create().orExit();
  leno::Buffer x = device.upload(ones).orExit(), y = other.upload(ones, "far").orExit();
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, 2.5f, x, y), "'far', belongs to another device");
}

TEST_F(HostApi, ABufferWhoseDeviceIsGoneSaysSo) {
  leno::Buffer orphan;
  {
    leno::Device shortLived = leno::Device::create().orExit();
    orphan = shortLived.upload(ones, "orphan").orExit();
    EXPECT_TRUE(orphan.valid());
  }
  EXPECT_FALSE(orphan.valid());
  EXPECT_SAYS(orphan.download<float>(), "buffer 'orphan': its device is gone");
  EXPECT_SAYS(leno::launch(device, saxpy, config, 100u, 2.5f, orphan, orphan), "its device is gone");
}

TEST_F(HostApi, OtherLaunchesGoOnAfterAStackOverflow) {
  leno::Module deep = leno::Module::assemble(".kernel deep\n"
                                             "   NOP;\n"
                                             "f: CAL f;\n"
                                             "   EXIT;\n"
                                             ".endkernel\n",
                                             "deep.s")
                          .orExit();
  leno::LaunchResult result = leno::launch(device, deep.kernel("deep").orExit(), config).orExit();
  ASSERT_TRUE(result.trap);
  EXPECT_EQ(result.trap->kind, "STACK_OVERFLOW");
  EXPECT_EQ(result.trap->calls, (std::vector<std::string>{"called at f (deep.s:3), 1024 times"}));
  EXPECT_NE(result.trap->text.find("; called at f (deep.s:3), 1024 times"), std::string::npos);
  leno::Buffer x = device.upload(ones, "x").orExit(), y = device.upload(ones, "y").orExit();
  EXPECT_TRUE(leno::launch(device, saxpy, config, 100u, 2.0f, x, y).orExit().finished());
  EXPECT_EQ(y.download<float>().orExit()[99], 3.0f);
}

TEST_F(HostApi, BufferAccessesAreBounded) {
  leno::Buffer x = device.upload(ones, "x").orExit();
  std::vector<float> some(10, 7.0f);
  EXPECT_TRUE(x.upload(some, 90));
  EXPECT_SAYS(x.upload(some, 91), "cannot write buffer 'x': 40 bytes at byte 364 pass its end (400 bytes)");
  EXPECT_SAYS(x.upload(some, UINT64_MAX / 4), "pass its end");
  EXPECT_SAYS(x.upload(some, UINT64_MAX / 2), "past the buffer's end");
  EXPECT_SAYS(x.download(std::span<float>(some), 95), "cannot read buffer 'x'");
  EXPECT_EQ(x.download<float>().orExit()[95], 7.0f);
  EXPECT_SAYS(device.allocate(7, "odd").orExit().download<float>(),
              "not a whole number of elements of 4 bytes");
}

TEST_F(HostApi, ABufferGivesItsMemoryBack) {
  {
    leno::Buffer x = device.allocate<double>(100).orExit();
    EXPECT_EQ(x.size(), 800u);
    EXPECT_EQ(x.address() % 256, 0u);
    EXPECT_EQ(device.bytesAllocated(), 800u);
    EXPECT_EQ(x.download<double>().orExit(), std::vector<double>(100)) << "memory starts zeroed";
  }
  EXPECT_EQ(device.bytesAllocated(), 0u);
}

TEST_F(HostApi, ImpossibleAllocationsAreErrors) {
  leno::Device small = leno::Device::create({"memory.bytes=64KiB"}).orExit();
  EXPECT_SAYS(small.allocate(65537, "big"), "65536");
  EXPECT_SAYS(small.allocate(0, "none"), "0 bytes");
  EXPECT_SAYS(small.allocate<double>(UINT64_MAX / 4, "huge"), "pass");
  leno::Device moved = std::move(small);
  EXPECT_SAYS(small.allocate(1), "moved from");
  EXPECT_SAYS(leno::launch(small, saxpy, config), "moved from");
}

TEST_F(HostApi, MachineSettingsAreCheckedAndTold) {
  EXPECT_SAYS(leno::Device::create({"sm.cuont=2"}), "did you mean 'sm.count'");
  EXPECT_SAYS(leno::Device::create({"sm.count=0"}), "out of range");
  // Each key is right, and together they make no machine.
  EXPECT_SAYS(leno::Device::create({"stack.entries=4", "stack.moveEntries=4"}),
              "stack.moveEntries is 4; it must be from 1 to 3, less than stack.entries");
  EXPECT_SAYS(leno::Device::create({"l2.lineBytes=24"}), "l2.lineBytes");
  leno::Device two = leno::Device::create({"sm.count=2"}).orExit();
  bool found = false;
  for (const leno::Device::Setting &setting : two.settings())
    if (setting.key == "sm.count") {
      found = true;
      EXPECT_EQ(setting.value, 2u);
    }
  EXPECT_TRUE(found);
}

TEST_F(HostApi, LoadingMistakesAreLocated) {
  EXPECT_SAYS(leno::Module::load("no/such/file.s"), "no/such/file.s");
  auto bad = leno::Module::assemble(".kernel k\n  MOVE R0, R1;\n.endkernel\n", "bad.s");
  EXPECT_SAYS(bad, "bad.s:2:3: error:");
  EXPECT_SAYS(module.kernel("saxpi"), "saxpy");
}

/// What is written of the launches that named a folder; the engine's own count is what it is compared with.
TEST_F(HostApi, ProfilesOfLaunchesAreWrittenTogether) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "leno-api-profile";
  std::filesystem::remove_all(folder);
  leno::Buffer x = device.upload(ones, "x").orExit(), y = device.upload(ones, "y").orExit();
  config.profile = folder.string();
  auto first = leno::launch(device, saxpy, config, 100u, 2.5f, x, y).orExit();
  auto second = leno::launch(device, saxpy, config, 40u, 2.5f, x, y).orExit();
  EXPECT_FALSE(std::filesystem::exists(folder)); // not yet
  ASSERT_TRUE(device.writeProfiles());
  std::ifstream file(folder / "profile.json");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (const auto &result : {first, second})
    EXPECT_NE(text.find("\"counts\":{\"warps\":" + std::to_string(result.warpInstructions) + ","),
              std::string::npos)
        << text.substr(0, 300);
  EXPECT_TRUE(std::filesystem::exists(folder / "report.html"));

  config.profile = (folder / "report.html").string();
  auto wrong = leno::launch(device, saxpy, config, 40u, 2.5f, x, y);
  ASSERT_FALSE(wrong);
  EXPECT_NE(messageOf(wrong).find("kernel 'saxpy': the profile '"), std::string::npos) << messageOf(wrong);
  EXPECT_NE(messageOf(wrong).find("there is a file of that name"), std::string::npos) << messageOf(wrong);
  std::filesystem::remove_all(folder);
}
