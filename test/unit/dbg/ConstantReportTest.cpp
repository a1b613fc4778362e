// What is told of a word in the moments of S2's figures 3B and 6: SM 0 has the first version, SM 1 the
// second, SM 2 the third, SM 3 nothing to do. ConstantWalkThroughTest has the steps that lead there.
#include "dbg/ConstantReport.h"
#include "emu/constants/CurrentInL2.h"
#include "emu/constants/OldestInL2.h"
#include <gtest/gtest.h>

namespace leno::dbg {
namespace {

constexpr u32 word = constantWord(1, 0);

std::string told(const ConstantWordState &state, u64 protocol) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printConstant(out, state, protocol, 1);
  return text;
}

using Cells = std::vector<std::string>;

TEST(ConstantReport, OldestInL2) {
  OldestInL2 protocol(ConstantCacheConfig(), 4);
  protocol.preset(word, 111);
  protocol.work(0);
  protocol.read(0, word);
  protocol.constant(word, 222);
  protocol.work(1);
  protocol.constant(word, 333);
  protocol.work(2);
  ConstantWordState state = protocol.stateOf(word);
  // Words of later versions are locked where a constant command wrote them, and dirty: the L2 has the first.
  EXPECT_EQ(told(state, ConstantCacheConfig::OldestL2),
            "protocol A: the L2 has version 1, the current one is 3\n"
            "   Level       Work      Version  Coherent  Value       State\n"
            "   L1 of SM 0  active    1        yes       0x0000006f  valid\n"
            "*  L1 of SM 1  active    2        no        0x000000de  locked, dirty\n"
            "   L1 of SM 2  active    3        no        0x0000014d  locked, dirty\n"
            "   L1 of SM 3  inactive  3        no        0x0000014d  locked, dirty\n"
            "   L2          -         1        -         0x0000006f  valid\n"
            "   memory      -         -        -         0x0000006f  -\n");
  EXPECT_EQ(cellsOfConstant(state, ConstantCacheConfig::OldestL2, 1),
            (Cells{"locked, dirty", "0-3", "valid"}));
  EXPECT_EQ(cellsOfConstant(state, ConstantCacheConfig::OldestL2, 0), (Cells{"valid", "0-3", "valid"}));
  EXPECT_EQ(cellsOfConstant(state, ConstantCacheConfig::OldestL2, std::nullopt),
            (Cells{"-", "0-3", "valid"}));
}

TEST(ConstantReport, CurrentInL2) {
  CurrentInL2 protocol(ConstantCacheConfig(), 4);
  protocol.preset(word, 111);
  protocol.work(0);
  protocol.constant(word, 222);
  ASSERT_TRUE(protocol.takePosted());
  protocol.work(1);
  protocol.constant(word, 333);
  ASSERT_TRUE(protocol.takePosted());
  protocol.work(2);
  protocol.constant(word, 444); // a third sequence, which the L2 has not taken
  ConstantWordState state = protocol.stateOf(word);
  EXPECT_EQ(told(state, ConstantCacheConfig::CurrentL2),
            "protocol B: the L2 has the current version, or is getting it\n"
            "   Level       Work      Tag  Value       State\n"
            "   L1 of SM 0  active    2    -           -\n"
            "*  L1 of SM 1  active    1    0x000000de  valid\n"
            "   L1 of SM 2  active    0    0x0000014d  valid\n"
            "   L1 of SM 3  inactive  0    0x000001bc  valid\n"
            "   L2          -         0    0x0000014d  dirty\n"
            "   memory      -         -    0x0000006f  -\n"
            "   L2 backup   -         1    0x000000de  -\n"
            "   L2 backup   -         2    0x0000006f  -\n"
            "   queue       -         -    0x000001bc  not in the L2 yet\n");
  EXPECT_EQ(cellsOfConstant(state, ConstantCacheConfig::CurrentL2, 0),
            (Cells{"-", "1-3", "dirty", "tag 1, tag 2", "1"}));
  EXPECT_EQ(llvm::json::Value(factsOf(state, ConstantCacheConfig::CurrentL2)),
            cantFail(llvm::json::parse(R"({"protocol": "B", "memory": "0x0000006f",
              "sms": [{"sm": 0, "active": true, "tag": 2},
                      {"sm": 1, "active": true, "tag": 1, "bits": "0x000000de", "locked": false, "dirty": false},
                      {"sm": 2, "active": true, "tag": 0, "bits": "0x0000014d", "locked": false, "dirty": false},
                      {"sm": 3, "active": false, "tag": 0, "bits": "0x000001bc", "locked": false, "dirty": false}],
              "l2": {"bits": "0x0000014d", "dirty": true},
              "backup": [{"tag": 1, "bits": "0x000000de"}, {"tag": 2, "bits": "0x0000006f"}],
              "queue": ["0x000001bc"]})")));
}

} // namespace
} // namespace leno::dbg
