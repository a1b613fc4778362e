#include "emu/sm/LockTable.h"
#include "gtest/gtest.h"

using namespace leno;
using Holder = LockTable::Holder;

namespace {
/// Warps are told apart by address alone: these stand for them.
const int places[2] = {};
const Warp *const first = reinterpret_cast<const Warp *>(&places[0]);
const Warp *const second = reinterpret_cast<const Warp *>(&places[1]);
} // namespace

TEST(LockTable, AFlagIsTakenOnce) {
  LockTable locks;
  EXPECT_TRUE(locks.acquire(0x100, 4, {first, 3}));
  EXPECT_FALSE(locks.acquire(0x100, 4, {first, 4}));
  EXPECT_FALSE(locks.acquire(0x100, 4, {second, 3}));
}

TEST(LockTable, WhoHoldsAFlagDoesNotGetItAgain) {
  LockTable locks;
  EXPECT_TRUE(locks.acquire(0x100, 4, {first, 3}));
  EXPECT_FALSE(locks.acquire(0x100, 4, {first, 3}));
}

TEST(LockTable, NeighbouringWordsHaveFlagsOfTheirOwn) {
  LockTable locks;
  EXPECT_TRUE(locks.acquire(0x104, 4, {first, 0}));
  EXPECT_TRUE(locks.acquire(0x100, 4, {first, 1}));
  EXPECT_TRUE(locks.acquire(0x108, 4, {first, 2}));
}

TEST(LockTable, APairTakesBothFlagsOrNone) {
  LockTable locks;
  EXPECT_TRUE(locks.acquire(0x104, 4, {first, 0}));
  EXPECT_FALSE(locks.acquire(0x100, 8, {first, 1}));
  EXPECT_TRUE(locks.acquire(0x100, 4, {second, 1})) << "the pair has taken half of it";
  locks.release(0x104, 4);
  locks.release(0x100, 4);
  EXPECT_TRUE(locks.acquire(0x100, 8, {first, 1}));
  EXPECT_FALSE(locks.acquire(0x104, 4, {first, 0}));
}

TEST(LockTable, HoldingAPairIsHoldingBothWords) {
  LockTable locks;
  EXPECT_TRUE(locks.acquire(0x100, 4, {first, 0}));
  EXPECT_TRUE(locks.holds(0x100, 4, {first, 0}));
  EXPECT_FALSE(locks.holds(0x100, 8, {first, 0}));
  EXPECT_FALSE(locks.holds(0x100, 4, {first, 1}));
  EXPECT_FALSE(locks.holds(0x100, 4, {second, 0}));
  EXPECT_TRUE(locks.acquire(0x104, 4, {first, 0}));
  EXPECT_TRUE(locks.holds(0x100, 8, {first, 0}));
}

TEST(LockTable, TellsTheHolderOfAnyWord) {
  LockTable locks;
  EXPECT_EQ(locks.holder(0x100, 8), nullptr);
  EXPECT_TRUE(locks.acquire(0x104, 4, {second, 7}));
  ASSERT_NE(locks.holder(0x100, 8), nullptr);
  EXPECT_EQ(*locks.holder(0x100, 8), (Holder{second, 7}));
  EXPECT_EQ(locks.holder(0x100, 4), nullptr);
}

TEST(LockTable, ListsWhatLanesOfAWarpHold) {
  LockTable locks;
  EXPECT_TRUE(locks.acquire(0x200, 4, {first, 1}));
  EXPECT_TRUE(locks.acquire(0x100, 8, {first, 2}));
  EXPECT_TRUE(locks.acquire(0x300, 4, {second, 1}));
  EXPECT_TRUE(locks.acquire(0x400, 4, {first, 5}));
  auto held = locks.heldBy(first, 0b110);
  ASSERT_EQ(held.size(), 3u);
  EXPECT_EQ(held[0], std::pair(u64(0x100), 2u));
  EXPECT_EQ(held[1], std::pair(u64(0x104), 2u));
  EXPECT_EQ(held[2], std::pair(u64(0x200), 1u));
}
