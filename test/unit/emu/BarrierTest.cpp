#include "emu/sm/Barrier.h"
#include "gtest/gtest.h"

using namespace leno;
using Operation = BarrierOperation;

namespace {
Barrier::Arrival with(Operation operation, unsigned warpsNeeded = 0, unsigned lanes = 32,
                      unsigned holding = 0) {
  return {operation, warpsNeeded, lanes, holding};
}
} // namespace

TEST(OneBarrier, WithoutACountItWaitsForTheLiveWarps) {
  Barrier b;
  EXPECT_FALSE(b.isComplete(0)) << "nobody has arrived";
  b.arrive(0, with(Operation::Sync));
  b.arrive(2, with(Operation::Sync));
  EXPECT_FALSE(b.isComplete(0b1111));
  EXPECT_FALSE(b.isComplete(0b1101)) << "warp 3 is missing";
  EXPECT_TRUE(b.isComplete(0b0101)) << "1 and 3 have exited";
}

TEST(OneBarrier, AWarpThatArrivedAndExitedStillCounts) {
  Barrier b;
  b.arrive(0, with(Operation::Arrive, 2));
  EXPECT_FALSE(b.isComplete(0b10));
  b.arrive(1, with(Operation::Sync, 2));
  EXPECT_TRUE(b.isComplete(0b10));
  EXPECT_EQ(b.arrived(), 0b11u);
  EXPECT_EQ(b.waiting(), 0b10u);
}

TEST(OneBarrier, ACountIsOfWarpsWhicheverTheyAre) {
  Barrier b;
  b.arrive(7, with(Operation::Sync, 3));
  b.arrive(1, with(Operation::Sync, 3));
  EXPECT_FALSE(b.isComplete(0b10000010)) << "an exit does not lower a count";
  b.arrive(63, with(Operation::Sync, 3));
  EXPECT_TRUE(b.isComplete(~u64(0)));
}

TEST(OneBarrier, ResultsOfReductions) {
  struct Row {
    unsigned lanes[2], holding[2];
    u32 popc, all, any;
  };
  const Row rows[] = {
      {{32, 32}, {32, 32}, 64, 1, 1}, {{32, 32}, {32, 31}, 63, 0, 1}, {{32, 8}, {0, 0}, 0, 0, 0},
      {{32, 8}, {0, 1}, 1, 0, 1},     {{3, 8}, {3, 8}, 11, 1, 1},
  };
  for (const Row &row : rows)
    for (Operation operation : {Operation::Popc, Operation::And, Operation::Or}) {
      Barrier b;
      for (unsigned warp : {0u, 1u}) {
        ASSERT_EQ(b.refusal(warp, with(operation)), "");
        b.arrive(warp, with(operation, 0, row.lanes[warp], row.holding[warp]));
      }
      EXPECT_EQ(b.result(), operation == Operation::Popc  ? row.popc
                            : operation == Operation::And ? row.all
                                                          : row.any);
    }
}

TEST(OneBarrier, RefusesWhatDoesNotAgree) {
  Barrier b;
  EXPECT_EQ(b.refusal(0, with(Operation::Popc, 5)), "");
  b.arrive(0, with(Operation::Arrive, 2));
  EXPECT_EQ(b.refusal(1, with(Operation::Sync, 2)), "") << "SYNC and ARV meet";
  EXPECT_NE(b.refusal(1, with(Operation::Sync, 3)).find("others have arrived with count 64, not count 96"),
            std::string::npos);
  EXPECT_NE(b.refusal(1, with(Operation::Or, 2)), "");
  EXPECT_NE(b.refusal(0, with(Operation::Sync, 2)), "") << "it has arrived";
  b.reset();
  EXPECT_EQ(b.refusal(0, with(Operation::Or)), "");
}
