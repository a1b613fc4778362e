#include "emu/memory/L2Slices.h"
#include "test/unit/Support.h"
#include "test/unit/emu/ChainAccess.h"

// The memory side behind a launch, by hand: two SMs, two slices of eight lines of 128 bytes, T = 250, a
// hit 50.
using namespace leno;
using leno::test::access;
using leno::test::textOf;
using Kind = MemoryAccess::Kind;

namespace {

MachineConfig machine() {
  MachineConfig config = leno::test::timedMachine();
  config.l2.model = MachineConfig::L2::Slices;
  config.l2.slices = 2;
  config.l2.bytes = 1024;
  config.l2.ways = 2;
  config.l2.interval = 4;
  return config;
}

} // namespace

TEST(MemoryChain, LanesOfALineAreOneRequest) {
  MemoryChain traffic(machine());
  EXPECT_EQ(access(traffic, 0, Kind::Load, 0x10000, 4, 1000), 1300u) << "a miss: 50 + 250";
  EXPECT_EQ(access(traffic, 1, Kind::Load, 0x10000, 4, 2000), 2050u)
      << "another SM finds the line: slices are shared";
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).readMisses, 1u);
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).readHits, 1u);
  EXPECT_EQ(traffic.sm(0).requests, 1u);
  EXPECT_EQ(traffic.sm(0).waitCycles, 300u);
  EXPECT_EQ(traffic.sm(1).hits, 1u);
}

TEST(MemoryChain, AStrideOfALineIsARequestForEachLane) {
  MemoryChain traffic(machine());
  // 16 lines to each slice, one every four cycles: the last starts after 60.
  EXPECT_EQ(access(traffic, 0, Kind::Load, 0x10000, 128, 0), 360u);
  EXPECT_EQ(traffic.find<L2Slices>()->requestsOf(0), 16u);
  EXPECT_EQ(traffic.find<L2Slices>()->requestsOf(1), 16u);
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).evictions, 8u) << "eight lines of sixteen fit";
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).writeBacks, 0u);
  EXPECT_EQ(traffic.sm(0).accesses, 1u);
}

TEST(MemoryChain, StoresArePostedAndWrittenBackLater) {
  MemoryChain traffic(machine());
  EXPECT_EQ(access(traffic, 0, Kind::Store, 0x10000, 4, 10), 10u) << "nothing waits";
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).writeMisses, 1u);
  EXPECT_EQ(access(traffic, 0, Kind::Load, 0x10000, 4, 100), 150u) << "what was stored is there";
  // Lines of slice 0 and set 0, four sets of two ways: each 2 * 4 * 128 bytes on.
  access(traffic, 0, Kind::Load, 0x10000 + 1024, 0, 1000);
  access(traffic, 0, Kind::Load, 0x10000 + 2048, 0, 2000);
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).evictions, 1u);
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).writeBacks, 1u);
}

TEST(MemoryChain, AnAtomicWaitsAndDirtiesItsLine) {
  MemoryChain traffic(machine());
  EXPECT_EQ(access(traffic, 0, Kind::Atomic, 0x10000, 0, 0), 300u);
  access(traffic, 0, Kind::Load, 0x10000 + 1024, 0, 1000);
  access(traffic, 0, Kind::Load, 0x10000 + 2048, 0, 2000);
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).writeBacks, 1u);
}

TEST(MemoryChain, InactiveLanesAskForNothing) {
  MemoryChain traffic(machine());
  access(traffic, 0, Kind::Load, 0x10000, 128, 0, isa::LoadCache::CA, 0x5);
  EXPECT_EQ(traffic.find<L2Slices>()->requestsOf(0), 2u);
  EXPECT_EQ(traffic.find<L2Slices>()->requestsOf(1), 0u);
}

TEST(MemoryChain, WithoutTheCycleModelNothingWaits) {
  MachineConfig config = machine();
  config.timing.model = MachineConfig::Timing::Off;
  MemoryChain traffic(config);
  EXPECT_EQ(access(traffic, 0, Kind::Load, 0x10000, 128, 5), 5u);
  EXPECT_EQ(traffic.sm(0).waitCycles, 0u);
  EXPECT_EQ(traffic.find<L2Slices>()->requestsOf(0), 16u);
}

TEST(MemoryChain, MistakesInTheSizesNameTheirKey) {
  MachineConfig config = machine();
  EXPECT_EQ(textOf(config.check()), "success");
  config.l2.ways = 3;
  EXPECT_HOLDS(textOf(config.check()), "l2.ways is 3; it must divide the number of lines, 8");
  config = machine();
  config.l2.lineBytes = 8;
  EXPECT_HOLDS(textOf(config.check()), "l2.lineBytes is 8; a line holds at least the 16 bytes");
}

// Local memory is interleaved: a word of all lanes is a line of 128 bytes, a pair two. Counted apart.
TEST(MemoryChain, LocalMemoryIsSentByPlace) {
  MemoryChain traffic(machine());
  u64 addresses[laneCount];
  std::fill_n(addresses, laneCount, 8);
  WarpClock clock;
  MemoryAccess access{MemoryAccess::Space::Local, Kind::Store, 8, allLanes, addresses};
  traffic.accessLocal(1, u64(1) << 41, access, clock);
  EXPECT_EQ(clock.now(), 0u) << "posted";
  access.kind = Kind::Load;
  clock.issue(1000);
  traffic.accessLocal(1, (u64(1) << 41) + 4096, access, clock);
  EXPECT_EQ(traffic.sm(1, MemoryRequest::Local).requests, 4u) << "another warp's place: other lines";
  EXPECT_EQ(traffic.sm(1, MemoryRequest::Local).hits, 0u);
  EXPECT_EQ(clock.now(), 1300u);
  EXPECT_EQ(traffic.sm(1).accesses, 0u);
  EXPECT_EQ(traffic.find<L2Slices>()->requestsOf(0) + traffic.find<L2Slices>()->requestsOf(1), 4u);
}

// S0: a thread set is a transaction of 256 bits.
TEST(MemoryChain, SpilledThreadSetsAreFoundAgain) {
  MemoryChain traffic(machine());
  MemoryPort port(250, 4, false);
  port.lead(traffic, 1);
  EXPECT_EQ(port.write(0, 0, u64(1) << 40, 32), 50u) << "a store needs nothing from memory";
  EXPECT_EQ(port.read(1000, 1000, u64(1) << 40, 32), 1050u) << "the slice has it";
  EXPECT_EQ(port.read(2000, 2000, (u64(1) << 40) + 112, 32), 2300u) << "two lines, one of them new";
  EXPECT_EQ(traffic.sm(1, MemoryRequest::Stack).accesses, 3u);
  EXPECT_EQ(traffic.sm(1, MemoryRequest::Stack).requests, 4u);
  EXPECT_EQ(traffic.find<L2Slices>()->slice(0).writeMisses, 1u);
}

// S3: the host writes a message into a slice; a core that polls finds it there, with no access to memory.
TEST(MemoryChain, WhatTheHostWritesACoreFindsInTheSlice) {
  PageTable pages;
  ASSERT_TRUE(pages.map(0x10000, 0x80000, 2));
  MemoryChain traffic(machine(), &pages);
  EXPECT_EQ(access(traffic, 0, Kind::Load, 0x10000, 0, 0), 300u);
  traffic.accessByHost(0x10ffc, 12, true); // across a page
  EXPECT_EQ(access(traffic, 0, Kind::Load, 0x11000, 0, 1000), 1050u);
  EXPECT_EQ(access(traffic, 1, Kind::Store, 0x11000, 0, 2000), 2000u);
  traffic.accessByHost(0x11000, 4, false);
  EXPECT_EQ(traffic.host().accesses, 2u);
  EXPECT_EQ(traffic.host().requests, 3u);
  EXPECT_EQ(traffic.host().hits, 1u);
}

// Line 0x205 of memory is in slice 1, as its line 0x102: of four sets the third.
TEST(MemoryChain, ShowsTheLinesOfItsSlices) {
  MemoryChain traffic(machine());
  access(traffic, 0, Kind::Load, 0x10280, 0, 0);
  auto lineOf = [&](unsigned slice, u64 set) { return traffic.cacheViews()[slice].line(set, 0); };
  EXPECT_TRUE(lineOf(1, 2).present);
  EXPECT_EQ(lineOf(1, 2).address, 0x10280u);
  EXPECT_FALSE(lineOf(1, 2).dirty);
  access(traffic, 0, Kind::Store, 0x10284, 0, 1000);
  EXPECT_TRUE(lineOf(1, 2).dirty);
  EXPECT_FALSE(lineOf(0, 2).present);
}
