#include "test/unit/Support.h"
#include "test/unit/emu/ChainAccess.h"
#include <list>
#include <map>
#include <random>

// The L1 between an SM and the crossbar against lists of lines, the last used first. Two SMs, caches of four
// sets of two lines of 128 bytes; a hit takes 10, memory 250.
using namespace leno;
using leno::test::access;
using leno::test::textOf;
using Kind = MemoryAccess::Kind;

namespace {

MachineConfig machine() {
  MachineConfig config = leno::test::timedMachine();
  config.l1.model = MachineConfig::L1::Cache;
  config.l1.bytes = 1024;
  config.l1.ways = 2;
  return config;
}

struct Access {
  unsigned sm;
  Kind kind;
  u64 base, stride, cycle;
  isa::LoadCache cache = isa::LoadCache::CA;
};

const CountTable &tableOf(const CountTables &tables, llvm::StringRef key) {
  return *llvm::find_if(tables, [&](const CountTable &table) { return table.key == key; });
}
std::vector<u64> l1(const MemoryChain &chain, unsigned sm) {
  CountTables tables = chain.tables();
  return tableOf(tables, "l1BySm").rows[sm];
}

struct Reference {
  struct Line {
    u64 number, since;
  };
  std::map<std::pair<unsigned, u64>, std::list<Line>> sets; // by SM and set
  u64 counts[2][6] = {};
  u64 requests = 0;

  u64 access(const Access &a) {
    std::vector<u64> lines;
    for (u64 lane = 0; lane < laneCount; ++lane)
      if (u64 line = (a.base + lane * a.stride) / 128; llvm::find(lines, line) == lines.end())
        lines.push_back(line);
    u64 done = a.cycle;
    for (u64 number : lines)
      done = std::max(done, one(a, number));
    return a.kind == Kind::Store ? a.cycle : done;
  }
  u64 one(const Access &a, u64 number) {
    auto &set = sets[{a.sm, number % 4}];
    auto line = llvm::find_if(set, [&](const Line &l) { return l.number == number; });
    bool hit = line != set.end();
    auto &[readHits, readMisses, writeHits, writeMisses, evictions, readsPast] = counts[a.sm];
    if (a.kind == Kind::Load && a.cache != isa::LoadCache::CA) {
      ++requests;
      ++readsPast;
      if (hit && a.cache == isa::LoadCache::CV)
        set.erase(line);
      return a.cycle + 250;
    }
    if (a.kind == Kind::Load && hit) {
      ++readHits;
      set.splice(set.begin(), set, line);
      return std::max(a.cycle + 10, set.front().since);
    }
    ++requests;
    if (a.kind == Kind::Load) {
      ++readMisses;
      set.push_front({number, a.cycle + 10 + 250});
      if (set.size() > 2) {
        ++evictions;
        set.pop_back();
      }
      return a.cycle + 10 + 250;
    }
    if (a.kind == Kind::Store)
      ++(hit ? writeHits : writeMisses);
    if (hit && a.kind == Kind::Store)
      set.splice(set.begin(), set, line);
    if (hit && a.kind == Kind::Atomic)
      set.erase(line);
    return a.cycle + 250;
  }
};

} // namespace

TEST(L1Cache, IsAsTheListsOfLines) {
  std::mt19937_64 random(1);
  MemoryChain chain(machine());
  Reference reference;
  u64 cycle = 0;
  for (int i = 0; i < 20000; ++i) {
    static constexpr u64 strides[] = {0, 4, 8, 128};
    Access a{unsigned(random() % 2), Kind(random() % 8 < 5 ? 0 : random() % 3), 0x10000 + random() % 1024 * 4,
             strides[random() % 16 < 15 ? random() % 3 : 3], cycle += random() % 200};
    a.cache = isa::LoadCache(random() % 8 < 6 || a.kind != Kind::Load ? 0 : 1 + random() % 2);
    ASSERT_EQ(access(chain, a.sm, a.kind, a.base, a.stride, a.cycle, a.cache), reference.access(a)) << i;
  }
  for (unsigned sm : {0, 1}) {
    EXPECT_EQ(l1(chain, sm), std::vector<u64>(reference.counts[sm], reference.counts[sm] + 6));
    for (u64 count : l1(chain, sm))
      EXPECT_GT(count, 100u) << "nothing is left out";
  }
  EXPECT_EQ(chain.counts().ports.all().requests, reference.requests);
}

// With contexts.perSm contexts share the L1 of an SM, and none has another's lines, though they have the same
// addresses: the reference has those of each context elsewhere, in the same sets.
TEST(L1Cache, ContextsOfAnSmShareItsL1) {
  constexpr u64 elsewhere = u64(1) << 30;
  MachineConfig config = machine();
  config.contexts.perSm = 2;
  SharedModels models = MemoryChain::sharedModels(config);
  MemoryChain chains[] = {MemoryChain(config, nullptr, 0, &models),
                          MemoryChain(config, nullptr, MemoryRequest::contextBytes, &models)};
  Reference reference;
  std::mt19937_64 random(3);
  std::vector<u64> counts[2][2]; // by context and SM
  for (auto &context : counts)
    context[0].resize(6), context[1].resize(6);
  u64 cycle = 0;
  for (int i = 0; i < 20000; ++i) {
    unsigned context = random() % 2, sm = random() % 2;
    if (random() % 100 == 0) { // other work of it comes to the SM
      chains[context].arrive(sm);
      for (auto &[place, set] : reference.sets)
        if (place.first == sm)
          set.remove_if(
              [&](const Reference::Line &line) { return (line.number >= elsewhere / 128) == context; });
    }
    Access a{sm, Kind(random() % 8 < 5 ? 0 : random() % 3), 0x10000 + random() % 256 * 4, 4,
             cycle += random() % 200};
    u64 there = access(chains[context], a.sm, a.kind, a.base, a.stride, a.cycle);
    std::vector<u64> before(reference.counts[sm], reference.counts[sm] + 6);
    a.base += context * elsewhere;
    ASSERT_EQ(there, reference.access(a)) << i;
    for (unsigned count = 0; count < 6; ++count)
      counts[context][sm][count] += reference.counts[sm][count] - before[count];
  }
  for (unsigned context : {0, 1})
    for (unsigned sm : {0, 1}) {
      EXPECT_EQ(l1(chains[context], sm), counts[context][sm]) << "what each has met is counted for it";
      EXPECT_GT(counts[context][sm][4], 100u) << "evictions";
    }
}

TEST(L1Cache, StoresGoThroughAndTakeNoLine) {
  MachineConfig config = machine();
  config.l2.model = MachineConfig::L2::Slices;
  MemoryChain chain(config);
  EXPECT_EQ(access(chain, 0, Kind::Store, 0x10000, 4, 0), 0u) << "posted";
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10000, 4, 1000), 1060u) << "a miss, and the slice has it: 10 + 50";
  EXPECT_EQ(access(chain, 0, Kind::Store, 0x10000, 4, 2000), 2000u);
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10000, 4, 3000), 3010u) << "the line is still there";
  EXPECT_EQ(l1(chain, 0), (std::vector<u64>{1, 1, 1, 1, 0, 0}));
  EXPECT_EQ(chain.sm(0).accesses, 4u);
  EXPECT_EQ(chain.sm(0).requests, 3u) << "that passed the crossbar";
}

TEST(L1Cache, AnAtomicIsTheSlicesAndDropsTheLine) {
  MemoryChain chain(machine());
  access(chain, 0, Kind::Load, 0x10000, 0, 0);
  EXPECT_EQ(access(chain, 0, Kind::Atomic, 0x10000, 0, 1000), 1250u);
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10000, 0, 2000), 2260u);
}

TEST(L1Cache, ALineUnderWayIsThereWhenItComes) {
  MemoryChain chain(machine());
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10000, 0, 0), 260u);
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10004, 0, 100), 260u);
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10008, 0, 255), 265u);
}

// The other's cache, and what the host writes, change nothing: coherent by time only.
TEST(L1Cache, EachSmHasItsOwn) {
  MemoryChain chain(machine());
  access(chain, 0, Kind::Load, 0x10000, 0, 0);
  EXPECT_EQ(access(chain, 1, Kind::Load, 0x10000, 0, 1000), 1260u);
  access(chain, 1, Kind::Store, 0x10000, 0, 2000);
  chain.accessByHost(0x10000, 4, true);
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10000, 0, 3000), 3010u);
  chain.arrive(0);
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10000, 0, 4000), 4260u) << "other work has come: it is empty";
  EXPECT_EQ(access(chain, 1, Kind::Load, 0x10000, 0, 4000), 4010u);
}

TEST(L1Cache, LinesNeedNotBeThoseOfTheSlices) {
  for (u64 bytes : std::initializer_list<u64>{32, 64, 256}) {
    MachineConfig config = machine();
    config.l1.lineBytes = bytes;
    config.l1.bytes = 2048;
    config.l2.model = MachineConfig::L2::Slices;
    MemoryChain chain(config);
    access(chain, 0, Kind::Load, 0x10000, 8, 0); // 256 bytes
    EXPECT_EQ(l1(chain, 0)[1], 256 / bytes);
    EXPECT_EQ(chain.sm(0).requests, std::max<u64>(2, 256 / bytes));
    EXPECT_EQ(chain.sm(0).hits, bytes < 128 ? 256 / bytes - 2 : 0) << "a miss of a slice fetches its line";
    access(chain, 0, Kind::Store, 0x10000, 8, 1000);
    EXPECT_EQ(l1(chain, 0)[2], 256 / bytes);
  }
}

TEST(L1Cache, ACopyGoesOnAsTheOriginal) {
  MemoryChain chain(machine());
  access(chain, 0, Kind::Load, 0x10000, 0, 0);
  MemoryChain copy = chain;
  access(chain, 0, Kind::Load, 0x20000, 128, 100); // evicts all
  EXPECT_EQ(access(copy, 0, Kind::Load, 0x10000, 0, 1000), 1010u);
  EXPECT_EQ(access(chain, 0, Kind::Load, 0x10000, 0, 1000), 1260u);
  EXPECT_EQ(l1(copy, 0), (std::vector<u64>{1, 1, 0, 0, 0, 0}));
}

TEST(L1Cache, ShowsItsLines) {
  MemoryChain chain(machine());
  access(chain, 0, Kind::Load, 0x10080, 0, 0); // set 1
  access(chain, 0, Kind::Load, 0x10280, 0, 300);
  access(chain, 0, Kind::Load, 0x10080, 0, 600);
  std::vector<CacheView> views = chain.cacheViews();
  ASSERT_EQ(views.size(), 2u);
  EXPECT_EQ(views[1].name, "l1[1]");
  EXPECT_EQ(views[1].title, "L1 of SM 1");
  EXPECT_EQ(views[0].lineBytes, 128u);
  ASSERT_EQ(views[0].sets, 4u);
  ASSERT_EQ(views[0].ways, 2u);
  CacheView::Line first = views[0].line(1, 0), second = views[0].line(1, 1);
  EXPECT_TRUE(first.present && second.present);
  EXPECT_EQ(first.address, 0x10080u);
  EXPECT_EQ(first.since, 260u);
  EXPECT_EQ(second.address, 0x10280u);
  EXPECT_EQ(second.since, 560u);
  EXPECT_GT(first.lastUse, second.lastUse);
  EXPECT_FALSE(views[0].line(0, 0).present || views[1].line(1, 0).present);
}

TEST(L1Cache, StackEntriesGoPast) {
  MemoryChain chain(machine());
  chain.transaction(0, u64(1) << 40, 32, false, 0);
  EXPECT_EQ(chain.transaction(0, u64(1) << 40, 32, false, 1000), 1250u);
  EXPECT_EQ(l1(chain, 0), std::vector<u64>(6));
}

TEST(L1Cache, MistakesInTheSizesNameTheirKey) {
  MachineConfig config = machine();
  EXPECT_EQ(textOf(config.check()), "success");
  config.l1.ways = 3;
  EXPECT_HOLDS(textOf(config.check()), "l1.ways is 3; it must divide the number of lines, 8");
  config = machine();
  config.l1.lineBytes = 8;
  EXPECT_HOLDS(textOf(config.check()), "l1.lineBytes is 8; a line holds at least the 16 bytes");
  config.l1.lineBytes = 48;
  EXPECT_HOLDS(textOf(config.check()), "l1.lineBytes is 48; it must be a power of two");
}
