#include "emu/memory/Crossbar.h"
#include "emu/memory/L2Slice.h"
#include "gtest/gtest.h"

// Slices of S3 by hand: small enough that every hit, miss, eviction and write-back can be told on paper.
using namespace leno;

namespace {

struct Slice {
  explicit Slice(const CacheShape &shape) : cache(shape, &dram) {}
  bool load(u64 address) {
    u8 byte[1];
    bool hit = cache.read(address, byte);
    value = byte[0];
    return hit;
  }
  bool store(u64 address, u8 byte) { return cache.write(address, byte); }
  Dram dram;
  L2Slice cache;
  u8 value = 0;
};

} // namespace

TEST(L2Slice, HitsMissesAndEvictionsByHand) {
  Slice s({64, 16, 2}); // two sets of two lines: lines 0, 2, 4 ... share set 0
  EXPECT_FALSE(s.load(0));
  EXPECT_TRUE(s.load(15));
  EXPECT_FALSE(s.load(32)) << "the set's other way";
  EXPECT_TRUE(s.load(0)) << "used last: line 2 goes next";
  EXPECT_FALSE(s.load(64));
  EXPECT_FALSE(s.cache.holds(32));
  EXPECT_TRUE(s.load(0));
  EXPECT_FALSE(s.load(16)) << "set 1 is untouched so far";
  EXPECT_EQ(s.cache.counts(), (L2Slice::Counts{3, 4, 0, 0, 1, 0}));
}

TEST(L2Slice, AStoreFetchesNothingAndIsWrittenBackWhenItsLineGoes) {
  Slice s({32, 16, 1}); // two sets of one line
  const u8 old[] = {1, 2, 3, 4};
  s.dram.write(0, old);
  EXPECT_FALSE(s.store(1, 99));
  EXPECT_EQ(s.dram.reads(), 0u);
  EXPECT_TRUE(s.load(1)) << "the byte is there";
  EXPECT_EQ(s.value, 99);
  EXPECT_FALSE(s.load(2)) << "the rest of its line is not";
  EXPECT_EQ(s.value, 3);
  EXPECT_TRUE(s.load(1));
  EXPECT_EQ(s.value, 99) << "the fetch leaves the stored byte";
  EXPECT_FALSE(s.load(32)) << "line 0 has to go";
  u8 now[4];
  s.dram.read(0, now);
  EXPECT_EQ(now[0], 1);
  EXPECT_EQ(now[1], 99);
  EXPECT_EQ(s.cache.counts(), (L2Slice::Counts{2, 2, 0, 1, 1, 1}));
}

TEST(L2Slice, OnlyBytesThatWereStoredAreWrittenBack) {
  Slice s({16, 16, 1});
  s.store(1, 11);
  s.store(7, 77);
  const u8 later[] = {50, 51, 52};
  s.dram.write(0, later); // as if another way to memory had changed what the line does not hold
  s.cache.flush();
  u8 now[8];
  s.dram.read(0, now);
  EXPECT_EQ(now[0], 50);
  EXPECT_EQ(now[1], 11);
  EXPECT_EQ(now[2], 52);
  EXPECT_EQ(now[7], 77);
}

TEST(Crossbar, LinesGoToSlicesInTurnWhateverTheirNumber) {
  for (unsigned slices : {1u, 3u, 4u, 7u}) {
    Crossbar crossbar(2, slices, 64, 1);
    std::vector<std::vector<bool>> taken(slices, std::vector<bool>(64 * 10));
    for (u64 address = 0; address < 64 * 10 * slices; ++address) {
      unsigned slice = crossbar.sliceOf(address);
      EXPECT_EQ(slice, address / 64 % slices);
      u64 within = crossbar.withinSlice(address);
      ASSERT_LT(within, taken[slice].size());
      EXPECT_FALSE(taken[slice][within]) << "two addresses at one place";
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
