#include "emu/memory/HostInterface.h"
#include "test/unit/Effort.h"
#include "test/unit/Support.h"
#include <cstring>
#include <random>

// Slices of S3 by hand: small enough that every hit, miss, eviction and write-back can be told on paper.
using namespace leno;
using leno::test::textOf;

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

MemorySideConfig small(u64 slices) {
  MemorySideConfig config;
  config.slices = slices;
  config.slice = {256, 32, 2};
  config.l2Latency = 5;
  config.memoryLatency = 25;
  return config;
}

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

TEST(MemorySide, LatenciesOfHitsMissesAndWhatGoesPast) {
  MemorySide memory(small(2), 1);
  u8 word[4];
  EXPECT_EQ(memory.read(1, 0, word, 100).cycle, 130u) << "miss: 5 + 25";
  EXPECT_EQ(memory.read(1, 4, word, 200).cycle, 205u) << "hit";
  EXPECT_EQ(memory.read(1, 4096, word, 300, MemorySide::Way::PastL2).cycle, 325u);
  // Two lines in two slices: side by side.
  u8 line[64];
  MemorySide::Done both = memory.read(1, 0, line, 400);
  EXPECT_FALSE(both.hit) << "the second line is not there";
  EXPECT_EQ(both.cycle, 430u);
  EXPECT_EQ(memory.slice(0).counts().readHits, 2u);
  EXPECT_EQ(memory.slice(1).counts().readMisses, 1u);
}

TEST(MemorySide, AWriteIsSeenFromTheCycleInWhichItLands) {
  MemorySide memory(small(2), 2);
  const u8 seven[] = {7};
  u8 byte[1];
  EXPECT_EQ(memory.write(1, 40, seven, 10), 15u);
  memory.read(2, 40, byte, 14);
  EXPECT_EQ(byte[0], 0);
  memory.read(2, 40, byte, 15);
  EXPECT_EQ(byte[0], 7);
}

TEST(HostInterface, TranslatesAndSplitsAtPages) {
  MemorySide memory(small(3), 1);
  PageTable pages;
  ASSERT_TRUE(pages.map(0x5000, 0x2000));
  ASSERT_TRUE(pages.map(0x6000, 0x9000)); // the next page lies elsewhere
  HostInterface host(memory, pages, 25);
  const u8 bytes[] = {1, 2, 3, 4};
  HostInterface::Result result = host.write(0x5ffe, bytes, 0);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.cycle, 30u) << "the link and a slice";
  u8 two[2];
  memory.read(MemorySide::portOf(0), 0x2ffe, two, 40);
  EXPECT_EQ(two[0], 1);
  memory.read(MemorySide::portOf(0), 0x9000, two, 41);
  EXPECT_EQ(two[1], 4);
  u8 back[4];
  EXPECT_EQ(host.read(0x5ffe, back, 100).cycle, 130u) << "all four bytes are in slices";
  EXPECT_EQ(std::memcmp(back, bytes, 4), 0);
}

TEST(HostInterface, AnUnmappedPageStopsTheWholeAccess) {
  MemorySide memory(small(1), 1);
  PageTable pages;
  ASSERT_TRUE(pages.map(0x1000, 0));
  EXPECT_FALSE(pages.map(0x1000, 0x3000)) << "mapped already";
  EXPECT_FALSE(pages.map(PageTable::endAddress, 0)) << "past 40 bits";
  HostInterface host(memory, pages, 0);
  std::vector<u8> bytes(8, 1);
  HostInterface::Result result = host.write(0x1ffc, bytes, 0);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(*result.fault, 0x2000u);
  memory.flush();
  EXPECT_EQ(memory.dram(0).writes(), 0u);
  EXPECT_TRUE(pages.unmap(0x1000));
  EXPECT_FALSE(pages.translate(0x1000));
}

// Against a flat array: any number of slices and ports, small caches, accesses of all lengths.
TEST(MemorySide, RandomAccessesReadWhatWasWritten) {
  for (unsigned seed = 0; seed < test::effort(200); ++seed) {
    std::mt19937 random(seed);
    MemorySideConfig config = small(1 + random() % 5);
    MemorySide memory(config, 3);
    std::vector<u8> flat(4096);
    u64 cycle = 0;
    for (int i = 0; i < 300; ++i) {
      u64 address = random() % flat.size(), count = 1 + random() % std::min<u64>(100, flat.size() - address);
      unsigned port = random() % 4;
      std::vector<u8> bytes(count);
      if (random() % 2) {
        for (u8 &byte : bytes)
          byte = u8(random());
        cycle = memory.write(port, address, bytes, cycle);
        std::copy(bytes.begin(), bytes.end(), flat.begin() + address);
      } else {
        cycle = memory.read(port, address, bytes, cycle).cycle;
        ASSERT_TRUE(std::equal(bytes.begin(), bytes.end(), flat.begin() + address)) << "seed " << seed;
      }
    }
    memory.flush();
    u64 misses = 0;
    for (u64 slice = 0; slice < config.slices; ++slice)
      misses += memory.slice(slice).counts().readMisses;
    EXPECT_GT(misses, 0u);
  }
}

TEST(MemorySideConfig, MistakesNameTheirKey) {
  MemorySideConfig config;
  config.slices = 0;
  EXPECT_HOLDS(textOf(config.check()), "l2.slices is 0; it must be from 1 to 1024");
  config = MemorySideConfig();
  config.slice.lineBytes = 48;
  EXPECT_HOLDS(textOf(config.check()), "l2.lineBytes is 48; it must be a power of two");
  config = MemorySideConfig();
  config.slice.ways = 3;
  EXPECT_HOLDS(textOf(config.check()), "l2.ways is 3; it must divide the number of lines, 1024");
}
