// Every example kernel, stepped instruction by instruction to its end and back, ends where it began.
#include "dbg/Session.h"
#include "runtime/PreparedLaunch.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/MachineHash.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

namespace leno::dbg {
namespace {

class Examples : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("leno-examples", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  /// A file of `bytes` bytes that go through all values.
  std::string input(size_t bytes) {
    std::string path = (folder.str() + "/input.bin").str();
    std::error_code code;
    llvm::raw_fd_ostream file(path, code);
    for (size_t i = 0; i < bytes; ++i)
      file << char(i * 37 + i / 7);
    return path;
  }
  std::string output() const { return (folder.str() + "/output.bin").str(); }

  void stepThereAndBack(const std::string &file, const std::string &kernel, runtime::Dimensions block,
                        std::vector<std::string> arguments) {
    runtime::LaunchOptions options;
    options.kernel = kernel;
    options.grid = {1, 1, 1};
    options.block = block;
    options.arguments = std::move(arguments);
    options.machineSettings = {"stack.model=cache", "stack.entries=8", "l2.model=slices",
                               "timing.model=cycles"};
    auto launch = runtime::PreparedLaunch::create(LENO_SOURCE_DIR "/examples/" + file, options, llvm::errs());
    ASSERT_TRUE(bool(launch)) << toString(launch.takeError());
    Session session(std::move(*launch));
    llvm::cantFail(session.start());
    auto hash = [&] { return test::MachineHash::of(session.grid()); };
    const u64 mostSteps = test::effort(1200);
    std::vector<u64> hashes;
    while (session.state() == SessionState::Stopped && hashes.size() < mostSteps) {
      hashes.push_back(hash());
      session.stepInstructions(1, false);
    }
    ASSERT_NE(session.state(), SessionState::Trapped);
    if (session.state() == SessionState::Stopped)
      hashes.push_back(hash());
    else
      llvm::cantFail(session.reverseInstructions(1, false));
    for (size_t i = hashes.size(); i-- > 0;) {
      ASSERT_EQ(hash(), hashes[i]) << "step " << i;
      if (i > 0)
        llvm::cantFail(session.reverseInstructions(1, false));
    }
    EXPECT_EQ(session.timeline().now(), 0u);
    // To the very end in one go, and all the way back in another.
    session.resume();
    ASSERT_EQ(session.state(), SessionState::Finished);
    u64 end = hash();
    session.goTo(0);
    EXPECT_EQ(hash(), hashes[0]);
    session.resume();
    EXPECT_EQ(hash(), end);
  }

  llvm::SmallString<64> folder;
};

TEST_F(Examples, Saxpy) {
  stepThereAndBack("saxpy/saxpy.s", "saxpy", {64, 1, 1},
                   {"u32:40", "f32:2.5", "in:" + input(160), "inout:" + input(160) + ":" + output()});
}
TEST_F(Examples, Filter) {
  stepThereAndBack("filter/filter.s", "filter", {16, 16, 1},
                   {"u32:16", "u32:16", "u32:1", "in:" + input(256), "out:u8[16,16]:" + output()});
}
TEST_F(Examples, Histogram) {
  stepThereAndBack("histogram/histogram.s", "histogram", {256, 1, 1},
                   {"u32:500", "in:" + input(500), "out:u32[256]:" + output()});
}
TEST_F(Examples, Mandelbrot) {
  stepThereAndBack(
      "mandelbrot/mandelbrot.s", "mandelbrot", {16, 4, 1},
      {"u32:16", "u32:4", "u32:12", "f32:-2.25", "f32:-1.5", "f32:0.1875", "out:u8[4,16]:" + output()});
}

} // namespace
} // namespace leno::dbg
