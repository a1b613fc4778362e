#include "test/unit/Support.h"
#include "test/unit/emu/ChainAccess.h"
#include <list>
#include <map>
#include <random>

// The TLB of an SM against lists of pages, the last used first. Two SMs, four sets of two entries; a look-up
// takes 2, memory 250.
using namespace leno;
using leno::test::access;
using leno::test::textOf;
using Kind = MemoryAccess::Kind;

namespace {

constexpr u64 page = 4096;

MachineConfig machine() {
  MachineConfig config = leno::test::timedMachine();
  config.tlb.model = MachineConfig::Tlb::Buffer;
  config.tlb.entries = 8;
  config.tlb.ways = 2;
  config.tlb.latency = 2;
  return config;
}

std::vector<u64> tlb(const MemoryChain &chain, unsigned sm) {
  for (const CountTable &table : chain.tables())
    if (table.key == llvm::StringRef("tlbBySm"))
      return table.rows[sm];
  return {};
}

} // namespace

TEST(Tlb, IsAsTheListsOfPages) {
  struct Entry {
    u64 number, since;
  };
  std::map<std::pair<unsigned, u64>, std::list<Entry>> sets; // by SM and set
  std::vector<u64> counts[2] = {std::vector<u64>(3), std::vector<u64>(3)};
  std::mt19937_64 random(2);
  MemoryChain chain(machine());
  u64 cycle = 0;
  for (int i = 0; i < 20000; ++i) {
    unsigned sm = random() % 2;
    u64 number = 16 + random() % 20;
    cycle += random() % 200;
    auto &set = sets[{sm, number % 4}];
    auto found = llvm::find_if(set, [&](const Entry &e) { return e.number == number; });
    bool hit = found != set.end();
    ++counts[sm][hit ? 0 : 1];
    if (hit)
      set.splice(set.begin(), set, found);
    else
      set.push_front({number, cycle + 2 + 250});
    if (set.size() > 2) {
      set.pop_back();
      ++counts[sm][2];
    }
    u64 from = std::max(cycle + 2, set.front().since);
    ASSERT_EQ(access(chain, sm, Kind::Load, number * page + random() % 31 * 128, 4, cycle), from + 250) << i;
  }
  EXPECT_EQ(tlb(chain, 0), counts[0]);
  EXPECT_EQ(tlb(chain, 1), counts[1]);
  EXPECT_GT(counts[0][2], 100u);
}

// A walk is a request like others: words of neighbouring pages are in one line of a slice.
TEST(Tlb, FillsComeOnTheWayOfAllRequests) {
  MachineConfig config = machine();
  config.l2.model = MachineConfig::L2::Slices;
  MemoryChain chain(config);
  EXPECT_EQ(access(chain, 0, Kind::Load, 16 * page, 4, 0), 2u + 300 + 300)
      << "the word of the table, then the line: both miss";
  EXPECT_EQ(access(chain, 0, Kind::Load, 17 * page, 4, 1000), 1000u + 2 + 50 + 300)
      << "16 words of the table are a line";
  EXPECT_EQ(access(chain, 0, Kind::Load, 16 * page, 4, 2000), 2000u + 2 + 50);
  EXPECT_EQ(tlb(chain, 0), (std::vector<u64>{1, 2, 0}));
  EXPECT_EQ(chain.sm(0).requests, 3u) << "walks are not the warps'";
}

// With contexts.perSm they share the TLB of an SM: room for two of a set, and none sees another's entries.
TEST(Tlb, ContextsOfAnSmShareItsTlb) {
  MachineConfig config = machine();
  config.contexts.perSm = 2;
  SharedModels models = MemoryChain::sharedModels(config);
  MemoryChain a(config, nullptr, 0, &models), b(config, nullptr, MemoryRequest::contextBytes, &models);
  const u64 hit = 2 + 250, miss = 2 + 250 + 250;
  EXPECT_EQ(access(a, 0, Kind::Load, 16 * page, 4, 0), 0 + miss);
  EXPECT_EQ(access(b, 0, Kind::Load, 16 * page, 4, 1000), 1000 + miss)
      << "the same address, of another context";
  EXPECT_EQ(access(a, 0, Kind::Load, 16 * page, 4, 2000), 2000 + hit);
  EXPECT_EQ(access(b, 0, Kind::Load, 20 * page, 4, 3000), 3000 + miss) << "it takes the place of b's first";
  EXPECT_EQ(access(b, 0, Kind::Load, 16 * page, 4, 4000), 4000 + miss) << "and this that of a's";
  EXPECT_EQ(access(a, 0, Kind::Load, 16 * page, 4, 5000), 5000 + miss);
  EXPECT_EQ(tlb(a, 0), (std::vector<u64>{1, 2, 1}));
  EXPECT_EQ(tlb(b, 0), (std::vector<u64>{0, 3, 2}));
  b.arrive(0);
  EXPECT_EQ(access(a, 0, Kind::Load, 16 * page, 4, 6000), 6000 + hit)
      << "another's work has come, not its own";
  EXPECT_EQ(access(b, 0, Kind::Load, 16 * page, 4, 7000), 7000 + miss);
}

// The tables of contexts lie in the memory of the driver of each.
TEST(Tlb, ContextsHaveTablesOfTheirOwn) {
  MachineConfig config = machine();
  config.l2.model = MachineConfig::L2::Slices;
  SharedModels side = MemoryChain::sharedModels(config);
  PageTable pages[2];
  ASSERT_TRUE(pages[0].map(16 * page, 100 * page) && pages[1].map(16 * page, 200 * page));
  MemoryChain a(config, &pages[0], 0, &side), b(config, &pages[1], u64(1) << 42, &side);
  EXPECT_EQ(access(a, 0, Kind::Load, 16 * page, 4, 0), 602u);
  EXPECT_EQ(access(b, 0, Kind::Load, 16 * page, 4, 1000), 1602u)
      << "the same address, and nothing of it is there";
  EXPECT_EQ(access(a, 0, Kind::Load, 16 * page, 4, 2000), 2052u);
}

TEST(Tlb, AnAccessLooksUpEachPage) {
  MemoryChain chain(machine());
  access(chain, 0, Kind::Load, 16 * page - 64, 4, 0); // half of the lanes on either side
  EXPECT_EQ(tlb(chain, 0), (std::vector<u64>{0, 2, 0}));
  access(chain, 0, Kind::Load, 32 * page, 128, 1000); // 32 lines of one page
  EXPECT_EQ(tlb(chain, 0), (std::vector<u64>{31, 3, 0}));
}

TEST(Tlb, IsEmptyWhenOtherWorkComes) {
  MemoryChain chain(machine());
  access(chain, 0, Kind::Load, 16 * page, 4, 0);
  access(chain, 1, Kind::Load, 16 * page, 4, 0);
  chain.arrive(0);
  EXPECT_EQ(access(chain, 0, Kind::Load, 16 * page, 4, 1000), 1502u);
  EXPECT_EQ(access(chain, 1, Kind::Load, 16 * page, 4, 1000), 1252u);
}

// Behind an L1 only misses look up: its lines are found by virtual address.
TEST(Tlb, HitsOfAnL1NeedNone) {
  MachineConfig config = machine();
  config.l1.model = MachineConfig::L1::Cache;
  MemoryChain chain(config);
  EXPECT_EQ(access(chain, 0, Kind::Load, 16 * page, 4, 0), 10u + 2 + 250 + 250);
  EXPECT_EQ(access(chain, 0, Kind::Load, 16 * page, 4, 1000), 1010u);
  EXPECT_EQ(tlb(chain, 0), (std::vector<u64>{0, 1, 0}));
}

TEST(Tlb, StacksLocalMemoryAndTheHostNeedNone) {
  MemoryChain chain(machine());
  EXPECT_EQ(chain.transaction(0, u64(1) << 40, 32, false, 0), 250u);
  u64 addresses[laneCount] = {};
  WarpClock clock;
  chain.accessLocal(0, u64(1) << 41, {MemoryAccess::Space::Local, Kind::Load, 4, allLanes, addresses}, clock);
  EXPECT_EQ(clock.now(), 250u);
  chain.accessByHost(16 * page, 4, true);
  EXPECT_EQ(tlb(chain, 0), std::vector<u64>(3));
}

TEST(Tlb, MistakesInTheSizesNameTheirKey) {
  MachineConfig config = machine();
  EXPECT_EQ(textOf(config.check()), "success");
  config.tlb.ways = 3;
  EXPECT_HOLDS(textOf(config.check()), "tlb.ways is 3; it must divide the number of entries, 8");
  config.tlb.ways = 0;
  EXPECT_HOLDS(textOf(config.check()), "tlb.ways is 0; it must be from 1 to 65536");
}

TEST(Tlb, ShowsItsPages) {
  MemoryChain chain(machine());
  access(chain, 1, Kind::Load, 5 * page + 8, 0, 0); // of four sets the second
  CacheView view = chain.cacheViews()[1];
  EXPECT_EQ(view.name, "tlb[1]");
  EXPECT_EQ(view.lineBytes, page);
  EXPECT_TRUE(view.line(1, 0).present);
  EXPECT_EQ(view.line(1, 0).address, 5 * page);
  EXPECT_EQ(view.line(1, 0).since, 252u);
}
