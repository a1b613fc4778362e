#include "emu/device/Allocation.h"
#include "emu/launch/TileMapping.h"
#include "gtest/gtest.h"

// S4's rules for the allocation of slices, on paper.
using namespace leno;

namespace {

using Split = std::vector<unsigned>;

ContextDemand working(int priority = 0) { return {.active = true, .priority = priority}; }

/// With so many slices, and so many cycles of the window blocked.
ContextDemand blockedFor(u64 cycles, unsigned sms, int priority = 0) {
  return {.active = true, .priority = priority, .blocked = cycles, .sms = sms};
}

} // namespace

TEST(StaticSplit, EachHasWhatItAsksForAndTheOthersEqualParts) {
  EXPECT_EQ(staticSplit({{}, {}}, 4), (Split{2, 2}));
  EXPECT_EQ(staticSplit({{}, {}, {}}, 4), (Split{2, 1, 1}));
  EXPECT_EQ(staticSplit({{.asked = 3}, {}}, 4), (Split{3, 1}));
  EXPECT_EQ(staticSplit({{.asked = 2}, {.asked = 2}}, 8), (Split{2, 2}));
  EXPECT_EQ(staticSplit({{.asked = 4}, {}}, 4), Split()) << "the second would have none";
}

// S4: a context that needs 15,000 of 30,000 threads leaves half of the machine to another.
TEST(SplitByPriority, EqualsShareAndTheIdleHaveNone) {
  EXPECT_EQ(splitByPriority({working()}, 4, 0), (Split{4}));
  EXPECT_EQ(splitByPriority({working(), working()}, 4, 0), (Split{2, 2}));
  EXPECT_EQ(splitByPriority({working(), {}, working()}, 5, 0), (Split{3, 0, 2}));
  EXPECT_EQ(splitByPriority({{}, {}}, 4, 0), (Split{0, 0}));
}

// S4: "the old context is rebalanced to be executed by a first portion" of the cores; "a long running context
// will not completely starve all of the contexts", nor a new one of high priority the old.
TEST(SplitByPriority, TheOldContextIsMigratedToFewerSms) {
  EXPECT_EQ(splitByPriority({working(0), working(5)}, 4, 0), (Split{1, 3}));
  EXPECT_EQ(splitByPriority({working(0), working(5), working(5), working(1)}, 8, 0), (Split{1, 3, 3, 1}));
}

TEST(SplitByPriority, WithTooFewSmsTheLastIsSharedByTime) {
  std::vector<ContextDemand> four = {working(), working(9), working(), working()};
  EXPECT_TRUE(needsTurns(four, 3));
  EXPECT_FALSE(needsTurns(four, 4));
  EXPECT_EQ(splitByPriority(four, 3, 0), (Split{1, 1, 1, 0})) << "the highest priority always has one";
  EXPECT_EQ(splitByPriority(four, 3, 1), (Split{1, 1, 0, 1}));
  EXPECT_EQ(splitByPriority(four, 3, 2), (Split{1, 1, 1, 0}));
  EXPECT_EQ(splitByPriority({working(), working(9)}, 1, 0), (Split{0, 1}));
  EXPECT_EQ(splitByPriority({working(), working(9)}, 1, 1), (Split{1, 0}));
}

// S4: "when a first core has a page fault ... other cores can be switched to processing of a second context
// as they complete processing of the first context".
TEST(SplitByPriority, APageFaultLeavesTheSmsThatAreDoneToOthers) {
  ContextDemand faulted{.active = true, .sms = 2, .faulted = true, .occupied = 1};
  EXPECT_EQ(splitByPriority({faulted, working()}, 4, 0), (Split{1, 3}));
  faulted.occupied = 2;
  EXPECT_EQ(splitByPriority({faulted, working()}, 4, 0), (Split{2, 2}));
  EXPECT_EQ(splitByPriority({faulted, {}}, 4, 0), (Split{4, 0})) << "nobody else can use them";
}

TEST(Rebalance, OneSliceFromTheLeastToTheMostBlocked) {
  EXPECT_EQ(rebalance({blockedFor(100, 2), blockedFor(900, 2)}, 8, 500), (SliceMove{0, 1}));
  EXPECT_EQ(rebalance({blockedFor(300, 2), blockedFor(0, 3), blockedFor(900, 2)}, 8, 500), (SliceMove{1, 2}));
}

TEST(Rebalance, NotForLessThanTheSpecifiedAmount) {
  EXPECT_EQ(rebalance({blockedFor(400, 2), blockedFor(900, 2)}, 8, 500), std::nullopt);
  EXPECT_EQ(rebalance({blockedFor(399, 2), blockedFor(900, 2)}, 8, 500), (SliceMove{0, 1}));
}

TEST(Rebalance, NoneLosesItsLastSliceAndPrioritiesStand) {
  EXPECT_EQ(rebalance({blockedFor(0, 1), blockedFor(900, 3)}, 8, 500), std::nullopt);
  EXPECT_EQ(rebalance({blockedFor(0, 1), blockedFor(100, 2), blockedFor(900, 3)}, 8, 500), (SliceMove{1, 2}));
  EXPECT_EQ(rebalance({blockedFor(0, 3, 5), blockedFor(900, 1, 0)}, 8, 500), std::nullopt);
}

// S4: "cores only need to process data using a fixed subset of the screen coordinates".
TEST(TileMapping, TilesBesideOneAnotherBelongToDifferentSms) {
  TileMapping mapping{2, 2};
  std::string rows;
  for (u32 y = 0; y < 6; ++y, rows += '\n')
    for (u32 x = 0; x < 6; ++x)
      rows += char('0' + mapping.smOf({x, y, 0}, 3));
  EXPECT_EQ(rows, "001122\n001122\n112200\n112200\n220011\n220011\n");
}
