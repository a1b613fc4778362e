// Every example kernel, stepped instruction by instruction to its end and back, ends where it began.
#include "dbg/Expression.h"
#include "dbg/Session.h"
#include "runtime/Prepared.h"
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

  std::unique_ptr<Session> session(const std::string &file, const std::string &kernel,
                                   runtime::Dimensions block, std::vector<std::string> arguments) {
    runtime::LaunchOptions options;
    options.kernel = kernel;
    options.grid = {1, 1, 1};
    options.block = block;
    options.arguments = std::move(arguments);
    options.machineSettings = {"stack.model=cache", "stack.entries=8", "l2.model=slices",
                               "timing.model=cycles"};
    options.file = LENO_SOURCE_DIR "/examples/" + file;
    auto launch = runtime::Prepared::create(options, llvm::errs());
    auto session = std::make_unique<Session>(llvm::cantFail(std::move(launch)));
    llvm::cantFail(session->start());
    return session;
  }

  /// `meanwhile` is what a host does before the step of that number.
  void stepThereAndBack(Session &session, llvm::function_ref<void(u64)> meanwhile = [](u64) {}) {
    auto hash = [&] { return test::MachineHash::of(session.focus().grid()); };
    constexpr u64 mostSteps = 100'000; // more is a mistake
    std::vector<u64> hashes;
    while (session.state() == SessionState::Stopped && hashes.size() < mostSteps) {
      meanwhile(hashes.size());
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
  }

  void stepThereAndBack(const std::string &file, const std::string &kernel, runtime::Dimensions block,
                        std::vector<std::string> arguments) {
    std::unique_ptr<Session> there = session(file, kernel, block, std::move(arguments));
    auto hash = [&] { return test::MachineHash::of(there->focus().grid()); };
    u64 start = hash();
    stepThereAndBack(*there);
    // To the very end in one go, and all the way back in another.
    there->resume();
    ASSERT_EQ(there->state(), SessionState::Finished);
    u64 end = hash();
    there->goTo(0);
    EXPECT_EQ(hash(), start);
    there->resume();
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

//===--- A kernel that serves its host ------------------------------------===//

/// The host of the service example, as a script: what it writes into the channel (leno/Messages.h) are
/// changes by the user, a part of the past as any other, so that the service replays. Lane i serves slot i.
class Service : public Examples {
protected:
  static constexpr u32 slots = 4, wordsOfMessage = 3, slotBytes = 8 * (wordsOfMessage + 1), mask = 3;

  std::unique_ptr<Session> start() {
    // Pairs of key and value; where a key belongs is told in service.s.
    std::vector<u32> table(2 * (mask + 1));
    for (auto [key, value] : {std::pair<u32, u32>(5, 50), {9, 90}}) {
      u32 at = key * 0x9e3779b1u >> 12;
      while (table[2 * (at &= mask)])
        ++at;
      table[2 * at] = key;
      table[2 * at + 1] = value;
    }
    return session("service/service.s", "serve", {slots, 1, 1},
                   {"inout:" + words(std::vector<u32>(64 + slots * slotBytes / 4)) + ":" + output(),
                    "u32:" + std::to_string(slotBytes), "u32:" + std::to_string(slots),
                    "u32:" + std::to_string(wordsOfMessage), "in:" + words(table),
                    "u32:" + std::to_string(mask)});
  }

  static void set(Session &session, u32 offset, u32 value) {
    std::string text = "[channel + " + std::to_string(offset) + "] = " + std::to_string(value);
    WarpContext context = session.focus().context();
    llvm::cantFail(llvm::cantFail(Assignment::parse(text)).perform(context));
  }
  /// Message `number`, from 1: its words, and then the ready value.
  static void post(Session &session, u32 number, std::array<u32, wordsOfMessage> message) {
    u32 at = 256 + (number - 1) % slots * slotBytes;
    for (u32 i = 0; i < wordsOfMessage; ++i)
      set(session, at + 4 + 4 * i, message[i]);
    set(session, at, number);
  }
  /// Of the slot's last reply: its number and its first two words.
  static std::vector<u64> reply(Session &session, u32 slot) {
    std::string text = "[channel + " + std::to_string(256 + slot * slotBytes + slotBytes / 2) + "].u32@3";
    std::vector<u64> values;
    for (Value value :
         llvm::cantFail(llvm::cantFail(Expression::parse(text)).evaluateAll(session.focus().context())))
      values.push_back(value.bits);
    return values;
  }

  /// Five messages, two of them for slot 0; then the end.
  static void actAsHost(Session &session, u64 step) {
    switch (step) {
    case 40:
      return post(session, 1, {0, 5});
    case 43: // two at once
      post(session, 2, {1, 20, 300});
      return post(session, 3, {0, 6});
    case 200:
      return post(session, 4, {1, 2, 3});
    case 400:
      return post(session, 5, {0, 9});
    case 700:
      return set(session, 0, 1);
    }
  }
};

TEST_F(Service, StepsThereAndBackWithTheHostsMessages) {
  std::unique_ptr<Session> there = start();
  stepThereAndBack(*there, [&](u64 step) { actAsHost(*there, step); });
}

TEST_F(Service, IsExecutedAgainWithTheHostsMessages) {
  std::unique_ptr<Session> there = start();
  for (u64 step = 0; there->state() == SessionState::Stopped; ++step) {
    ASSERT_LT(step, 100'000u);
    actAsHost(*there, step);
    there->stepInstructions(1, false);
  }
  ASSERT_EQ(there->state(), SessionState::Finished);
  // Found, and its value; a sum of words by their places, from 1: 1 + 2 * 20 + 3 * 300.
  EXPECT_EQ(reply(*there, 0), (std::vector<u64>{5, 1, 90}));
  EXPECT_EQ(reply(*there, 1), (std::vector<u64>{2, 941, 0}));
  EXPECT_EQ(reply(*there, 2), (std::vector<u64>{3, 0, 0}));
  EXPECT_EQ(reply(*there, 3), (std::vector<u64>{4, 14, 0}));
  std::unique_ptr<Session> again = start();
  llvm::cantFail(again->repeat(there->moment(), [] { return true; }));
  EXPECT_EQ(test::MachineHash::of(again->focus().grid()), test::MachineHash::of(there->focus().grid()));
}

} // namespace
} // namespace leno::dbg
