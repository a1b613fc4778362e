#include "emu/memory/Crossbar.h"
#include "emu/memory/L2Slice.h"
#include "gtest/gtest.h"

// Slices of S3 by hand: small enough that every hit, miss, eviction and write-back can be told on paper.
using namespace leno;

namespace {

struct Slice {
  bool load(u64 address) { return cache.load(address / 16, ByteMask::range(address % 16, 1)); }
  bool store(u64 address) { return cache.store(address / 16, ByteMask::range(address % 16, 1)); }
  L2Slice cache;
};

} // namespace

TEST(L2Slice, HitsMissesAndEvictionsByHand) {
  Slice s{L2Slice({64, 16, 2})}; // two sets of two lines: lines 0, 2, 4 ... share set 0
  EXPECT_FALSE(s.load(0));
  EXPECT_TRUE(s.load(15));
  EXPECT_FALSE(s.load(32)) << "the set's other way";
  EXPECT_TRUE(s.load(0)) << "used last: line 2 goes next";
  EXPECT_FALSE(s.load(64));
  EXPECT_FALSE(s.cache.holds(2));
  EXPECT_TRUE(s.load(0));
  EXPECT_FALSE(s.load(16)) << "set 1 is untouched so far";
  EXPECT_EQ(s.cache.counts(), (L2Slice::Counts{3, 4, 0, 0, 1, 0}));
}

TEST(L2Slice, AStoreFetchesNothingAndIsWrittenBackWhenItsLineGoes) {
  Slice s{L2Slice({32, 16, 1})}; // two sets of one line
  EXPECT_FALSE(s.store(1));
  EXPECT_TRUE(s.load(1)) << "the byte is there";
  EXPECT_FALSE(s.load(2)) << "the rest of its line is not";
  EXPECT_TRUE(s.load(1));
  EXPECT_TRUE(s.load(3)) << "the whole line has come";
  EXPECT_FALSE(s.load(32)) << "line 0 has to go";
  EXPECT_EQ(s.cache.counts(), (L2Slice::Counts{3, 2, 0, 1, 1, 1}));
  EXPECT_FALSE(s.load(0)) << "and line 2, which nobody has stored to";
  EXPECT_EQ(s.cache.counts(), (L2Slice::Counts{3, 3, 0, 1, 2, 1}));
}

TEST(Crossbar, LinesGoToSlicesInTurnWhateverTheirNumber) {
  for (unsigned slices : {1u, 3u, 4u, 7u}) {
    Crossbar crossbar(2, slices, 64, 1);
    std::vector<std::vector<bool>> taken(slices, std::vector<bool>(10));
    for (u64 address = 0; address < 64 * 10 * slices; address += 64) {
      unsigned slice = crossbar.sliceOf(address);
      EXPECT_EQ(slice, address / 64 % slices);
      u64 within = crossbar.lineWithinSlice(address);
      ASSERT_LT(within, taken[slice].size());
      EXPECT_FALSE(taken[slice][within]) << "two lines at one place";
      taken[slice][within] = true;
    }
  }
}

TEST(Crossbar, RequestsMeetOnlyAtTheirSlice) {
  Crossbar crossbar(3, 2, 64, 4);
  EXPECT_EQ(crossbar.route(1, 0, 10), 10u);
  EXPECT_EQ(crossbar.route(2, 0, 10), 14u) << "the slice is busy";
  EXPECT_EQ(crossbar.route(2, 1, 10), 10u) << "the other is not";
  EXPECT_EQ(crossbar.route(1, 0, 30), 30u);
  EXPECT_EQ(crossbar.waitCycles(), 4u);
  EXPECT_EQ(crossbar.requestsOf(2, 0), 1u);
}
