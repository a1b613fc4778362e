// Every example kernel, stepped instruction by instruction to its end and back, ends where it began.
#include "dbg/Session.h"
#include "runtime/PreparedLaunch.h"
#include "test/unit/emu/MachineHash.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

namespace leno::dbg {
namespace {

class Examples : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("leno-examples", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string file(llvm::ArrayRef<char> bytes) {
    std::string path = (folder.str() + "/input" + std::to_string(files++) + ".bin").str();
    std::error_code code;
    llvm::raw_fd_ostream(path, code).write(bytes.data(), bytes.size());
    return path;
  }
  /// A file of `bytes` bytes that go through all values.
  std::string input(size_t bytes) {
    std::vector<char> values;
    for (size_t i = 0; i < bytes; ++i)
      values.push_back(char(i * 37 + i / 7));
    return file(values);
  }
  std::string words(std::vector<u32> values) {
    return file({reinterpret_cast<const char *>(values.data()), values.size() * 4});
  }
  std::string output(unsigned number = 1) const {
    return (folder.str() + "/output" + std::to_string(number) + ".bin").str();
  }

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
    constexpr u64 mostSteps = 100'000; // more is a mistake
    std::vector<u64> hashes;
    while (session.state() == SessionState::Stopped && hashes.size() < mostSteps) {
      hashes.push_back(hash());
      session.stepInstructions(1, false);
    }
    ASSERT_EQ(session.state(), SessionState::Finished);
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
  unsigned files = 0;
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
TEST_F(Examples, HistogramWithAtomics) {
  stepThereAndBack("histogram/histogram.s", "withAtomics", {64, 1, 1},
                   {"u32:100", "in:" + input(100), "out:u32[256]:" + output()});
}
TEST_F(Examples, HistogramWithLocks) {
  stepThereAndBack("histogram/histogram.s", "withLocks", {64, 1, 1},
                   {"u32:100", "in:" + input(100), "out:u32[256]:" + output()});
}
TEST_F(Examples, MatrixProduct) {
  stepThereAndBack(
      "matmul/matmul.s", "matmul", {16, 16, 1},
      {"u32:16", "u32:16", "u32:16", "in:" + input(1024), "in:" + input(1024), "out:f32[16,16]:" + output()});
}
TEST_F(Examples, ScanOfBlocks) {
  stepThereAndBack("scan/scan.s", "scanBlocks", {256, 1, 1},
                   {"u32:200", "inout:" + input(1024) + ":" + output(), "out:u32[1]:" + output(2)});
}
TEST_F(Examples, ScanAddsSums) {
  stepThereAndBack("scan/scan.s", "addSums", {256, 1, 1},
                   {"u32:200", "inout:" + input(1024) + ":" + output(), "in:" + input(4)});
}
TEST_F(Examples, SortsTiles) {
  stepThereAndBack("sort/sort.s", "sortTiles", {256, 1, 1},
                   {"u32:2", "u32:8", "inout:" + input(2048) + ":" + output()});
}
TEST_F(Examples, SortExchangesFar) {
  stepThereAndBack("sort/sort.s", "exchangeFar", {256, 1, 1},
                   {"u32:512", "u32:256", "inout:" + input(2048) + ":" + output()});
}
TEST_F(Examples, Bodies) {
  stepThereAndBack("nbody/nbody.s", "step", {128, 1, 1},
                   {"u32:4", "f32:0.01", "f32:0.1", "in:" + input(2048),
                    "inout:" + input(2048) + ":" + output(), "out:f32[512]:" + output(2)});
}
TEST_F(Examples, BreadthFirstSearch) {
  // 0 leads to 1, 2 and 3, which lead to 4.
  stepThereAndBack("bfs/bfs.s", "level", {128, 1, 1},
                   {"u32:5", "u32:0", "in:" + words({0, 3, 4, 5, 6, 6}), "in:" + words({1, 2, 3, 4, 4, 4}),
                    "inout:" + words({0, ~0u, ~0u, ~0u, ~0u}) + ":" + output(), "out:u32[1]:" + output(2)});
}
TEST_F(Examples, Sha256) {
  stepThereAndBack("sha256/sha256.s", "sha256", {32, 1, 1},
                   {"u32:1", "in:" + input(64), "in:" + words({0, 1}), "out:u32[8]:" + output()});
}
TEST_F(Examples, Queens) {
  stepThereAndBack("queens/queens.s", "queens", {5, 1, 1}, {"u32:5", "u32:31", "out:u32[1]:" + output()});
}
TEST_F(Examples, Mandelbrot) {
  stepThereAndBack(
      "mandelbrot/mandelbrot.s", "mandelbrot", {16, 4, 1},
      {"u32:16", "u32:4", "u32:12", "f32:-2.25", "f32:-1.5", "f32:0.1875", "out:u8[4,16]:" + output()});
}

} // namespace
} // namespace leno::dbg
