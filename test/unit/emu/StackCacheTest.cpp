#include "emu/warp/StackCache.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

// S0's figures as tables: each row an operation, and on paper what the buffer holds after it. A slot is D
// (valid and dirty), C (valid and clean) or . (invalid).
using namespace leno;
using Config = MachineConfig::Stack;

namespace {

struct Bench {
  explicit Bench(const Config &config, u64 latency = 0, u64 interval = 0, bool posted = false)
      : region(StackRegion::firstAddress, 4096), port(latency, interval, posted),
        cache(config, region, port, clock) {
    EXPECT_FALSE(bool(config.check())) << "the configuration is refused";
  }
  std::string picture() const {
    std::string text;
    for (unsigned slot = 0; slot < cache.capacity(); ++slot)
      text += !cache.isValid(slot) ? '.' : cache.isDirty(slot) ? 'D' : 'C';
    return text;
  }
  void push() { cache.push(0x1000 + cache.depth()); }
  void pop() {
    u64 expected = 0x1000 + cache.depth() - 1;
    EXPECT_EQ(cache.pop(), expected) << "the entry itself";
  }
  StackRegion region;
  MemoryPort port;
  WarpClock clock;
  StackCache cache;
};

struct Row {
  char operation; ///< '+' push, '-' pop
  const char *picture;
  unsigned head, onChip;
  size_t spillPointer;
};

void walk(Bench &bench, const std::vector<Row> &rows) {
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row &row = rows[i];
    row.operation == '+' ? bench.push() : bench.pop();
    EXPECT_EQ(bench.picture(), row.picture) << "row " << i;
    EXPECT_EQ(bench.cache.headSlot(), row.head) << "row " << i;
    EXPECT_EQ(bench.cache.entriesOnChip(), row.onChip) << "row " << i;
    EXPECT_EQ(bench.cache.spillPointer(), row.spillPointer) << "row " << i;
  }
}

Config thresholdOf8() {
  Config config;
  config.entries = 8;
  config.spillThreshold = 5;
  config.restoreThreshold = 3;
  config.moveEntries = 4;
  return config;
}

Config setBoundary(u64 entries) {
  Config config;
  config.entries = entries;
  config.policy = Config::SetBoundary;
  return config;
}

} // namespace

TEST(StackCache, ThresholdPolicyEntryByEntry) {
  Bench bench(thresholdOf8());
  walk(bench, {
                  {'+', "D.......", 0, 1, 0},
                  {'+', "DD......", 1, 2, 0},
                  {'+', "DDD.....", 2, 3, 0},
                  {'+', "DDDD....", 3, 4, 0},
                  {'+', "DDDDD...", 4, 5, 0},
                  {'+', "CCCCDD..", 5, 6, 4}, // six dirty are more than five: the four oldest go out
                  {'+', "CCCCDDD.", 6, 7, 4},
                  {'+', "CCCCDDDD", 7, 8, 4},
                  {'+', "DCCCDDDD", 0, 8, 4}, // overwrites the clean entry 0
                  {'+', "DDCCCCCC", 1, 8, 8}, // six dirty again
                  {'-', "D.CCCCCC", 0, 7, 8},
                  {'-', "..CCCCCC", 7, 6, 8},
                  {'-', "..CCCCC.", 6, 5, 7}, // a clean one: popped from memory too, nothing restored
                  {'-', "CCCCCC..", 5, 6, 6}, // four are invalid, more than three: entries 0 and 1 come back
                  {'-', "CCCCC...", 4, 5, 5},
                  {'+', "CCCCCD..", 5, 6, 5},
                  {'-', "CCCCC...", 4, 5, 5},
                  {'-', "CCCC....", 3, 4, 4},
                  {'-', "CCC.....", 2, 3, 3},
                  {'-', "CC......", 1, 2, 2},
                  {'-', "C.......", 0, 1, 1},
                  {'-', "........", 7, 0, 0},
              });
  const StackCounters &counts = bench.cache.counters();
  EXPECT_EQ(counts.pushes, 11u);
  EXPECT_EQ(counts.pops, 11u);
  EXPECT_EQ(counts.cleanPops, 8u);
  EXPECT_EQ(counts.deepest, 10u);
  EXPECT_EQ(counts.spills, (StackCounters::Transfers{2, 2, 8}));
  EXPECT_EQ(counts.restores, (StackCounters::Transfers{1, 1, 2}));
  EXPECT_EQ(counts.spills.bytes(), 64u);
  EXPECT_EQ(counts.stallCycles, 0u);
}

// S0's threshold may be any number. At zero every entry is spilled at once, and all that is on chip is clean.
TEST(StackCache, ASpillThresholdOfZeroKeepsNothingDirty) {
  Config config = thresholdOf8();
  config.spillThreshold = 0;
  Bench bench(config);
  walk(bench, {
                  {'+', "C.......", 0, 1, 1},
                  {'+', "CC......", 1, 2, 2},
                  {'+', "CCC.....", 2, 3, 3},
                  {'+', "CCCC....", 3, 4, 4},
                  {'+', "CCCCC...", 4, 5, 5},
                  {'+', "CCCCCC..", 5, 6, 6},
                  {'+', "CCCCCCC.", 6, 7, 7},
                  {'+', "CCCCCCCC", 7, 8, 8},
                  {'+', "CCCCCCCC", 0, 8, 9}, // over the clean entry 0
                  {'-', ".CCCCCCC", 7, 7, 8},
                  {'-', ".CCCCCC.", 6, 6, 7},
                  {'-', ".CCCCC..", 5, 5, 6},
                  {'-', "CCCCC...", 4, 5, 5}, // four are invalid: entry 0 comes back
                  {'-', "CCCC....", 3, 4, 4},
              });
  EXPECT_EQ(bench.cache.counters().spills, (StackCounters::Transfers{9, 9, 9}));
}

// S0: a restore pops entries off memory, and "may clear the dirty flags". Where it does not, memory has nothing
// of what is on chip, and it is spilled again.
TEST(StackCache, RestoredEntriesMayStayDirty) {
  Config config = thresholdOf8();
  config.restored = Config::Dirty;
  Bench bench(config);
  walk(bench, {
                  {'+', "D.......", 0, 1, 0},
                  {'+', "DD......", 1, 2, 0},
                  {'+', "DDD.....", 2, 3, 0},
                  {'+', "DDDD....", 3, 4, 0},
                  {'+', "DDDDD...", 4, 5, 0},
                  {'+', "CCCCDD..", 5, 6, 4},
                  {'+', "CCCCDDD.", 6, 7, 4},
                  {'+', "CCCCDDDD", 7, 8, 4},
                  {'+', "DCCCDDDD", 0, 8, 4},
                  {'+', "DDCCCCCC", 1, 8, 8},
                  {'-', "D.CCCCCC", 0, 7, 8},
                  {'-', "..CCCCCC", 7, 6, 8},
                  {'-', "..CCCCC.", 6, 5, 7},
                  {'-', "DDDDDD..", 5, 6, 0}, // entries 0 and 1 are taken back, and with them those above
                  {'-', "DDDDD...", 4, 5, 0},
                  {'+', "CCCCDD..", 5, 6, 4}, // six dirty: they go out again
              });
  EXPECT_EQ(bench.cache.counters().spills, (StackCounters::Transfers{3, 3, 12}));
}

// Dirty ones can fill the buffer between two pushes: the next one spills before it overwrites.
TEST(StackCache, APushOntoABufferOfRestoredDirtyEntriesSpillsFirst) {
  Config config;
  config.entries = 4;
  config.spillThreshold = 3;
  config.restoreThreshold = 0;
  config.moveEntries = 3;
  config.restored = Config::Dirty;
  Bench bench(config);
  walk(bench, {
                  {'+', "D...", 0, 1, 0},
                  {'+', "DD..", 1, 2, 0},
                  {'+', "DDD.", 2, 3, 0},
                  {'+', "CCCD", 3, 4, 3},
                  {'+', "DCCD", 0, 4, 3},
                  {'+', "DDCD", 1, 4, 3},
                  {'+', "CCDC", 2, 4, 6},
                  {'-', "DDDD", 1, 4, 2}, // entry 2 comes back, dirty
                  {'+', "CDDC", 2, 4, 5}, // entries 2 to 4 go out, then entry 6 comes
              });
}

// S0: head + 1 or head - 1, depending on the direction of the circular buffer.
TEST(StackCache, GrowsDownAsTheMirrorImage) {
  Config config = thresholdOf8();
  config.direction = Config::Down;
  Bench bench(config);
  walk(bench, {
                  {'+', ".......D", 7, 1, 0},
                  {'+', "......DD", 6, 2, 0},
                  {'+', ".....DDD", 5, 3, 0},
                  {'+', "....DDDD", 4, 4, 0},
                  {'+', "...DDDDD", 3, 5, 0},
                  {'+', "..DDCCCC", 2, 6, 4},
                  {'+', ".DDDCCCC", 1, 7, 4},
                  {'+', "DDDDCCCC", 0, 8, 4},
                  {'+', "DDDDCCCD", 7, 8, 4},
                  {'+', "CCCCCCDD", 6, 8, 8},
                  {'-', "CCCCCC.D", 7, 7, 8},
                  {'-', "CCCCCC..", 0, 6, 8},
                  {'-', ".CCCCC..", 1, 5, 7},
                  {'-', "..CCCCCC", 2, 6, 6},
              });
}

// S0: a set is spilled when the first entry of a set is used and the next set is valid and dirty; restored
// when a set's last entry is popped and the next set is invalid.
TEST(StackCache, SetBoundaryPolicyEntryByEntry) {
  Bench bench(setBoundary(12));
  for (unsigned i = 0; i < 8; ++i)
    bench.push();
  EXPECT_EQ(bench.picture(), "DDDDDDDD....");
  walk(bench,
       {
           {'+', "CCCCDDDDD...", 8, 9, 4}, // opens the third set; the next one is the first: spilled
           {'+', "CCCCDDDDDD..", 9, 10, 4},
           {'+', "CCCCDDDDDDD.", 10, 11, 4},
           {'+', "CCCCDDDDDDDD", 11, 12, 4},
           {'+', "DCCCCCCCDDDD", 0, 12, 8}, // opens the first set again; the next is the second
           {'+', "DDCCCCCCDDDD", 1, 12, 8},
           {'-', "D.CCCCCCDDDD", 0, 11, 8},
           // The boundary is crossed down: the third set is current and the second valid, nothing moves.
           {'-', "..CCCCCCDDDD", 11, 10, 8},
           {'-', "..CCCCCCDDD.", 10, 9, 8},
           {'-', "..CCCCCCDD..", 9, 8, 8},
           {'-', "..CCCCCCD...", 8, 7, 8},
           // Crossed again: the second set is current, of the first the entries 0 and 1 are missing.
           {'-', "CCCCCCCC....", 7, 8, 8},
           {'-', "CCCCCCC.....", 6, 7, 7},
       });
  const StackCounters &counts = bench.cache.counters();
  EXPECT_EQ(counts.spills, (StackCounters::Transfers{2, 2, 8}));
  EXPECT_EQ(counts.restores, (StackCounters::Transfers{1, 1, 2}));
}

TEST(StackCache, SetBoundaryWithAPairOfFlagsForEachSet) {
  Config config = setBoundary(8);
  config.flags = Config::PerSet;
  Bench bench(config);
  walk(bench,
       {
           {'+', "DDDD....", 0, 1, 0},
           {'+', "DDDD....", 1, 2, 0},
           {'+', "DDDD....", 2, 3, 0},
           {'+', "DDDD....", 3, 4, 0},
           {'+', "CCCCDDDD", 4, 5, 4},
           {'+', "CCCCDDDD", 5, 6, 4},
           {'+', "CCCCDDDD", 6, 7, 4},
           {'+', "CCCCDDDD", 7, 8, 4},
           {'+', "DDDDCCCC", 0, 5, 8}, // the first set's flags tell of entry 8 now: entries 0-3 are gone
           {'-', "CCCCCCCC", 7, 8, 8}, // emptied: the set below the current one comes back into it
           {'-', "CCCCCCCC", 6, 7, 7}, // a clean entry is popped without a restore
           {'+', "CCCCDDDD", 7, 8, 4}, // its set is dirty, all of it
           {'-', "CCCCDDDD", 6, 7, 4},
           {'-', "CCCCDDDD", 5, 6, 4},
           {'-', "CCCCDDDD", 4, 5, 4},
           {'-', "CCCC....", 3, 4, 4},
           {'-', "CCCC....", 2, 3, 3},
       });
}

// With stack.setsAhead 2 the two sets after the opened one are clean, and the two below the current one
// valid.
TEST(StackCache, SetBoundaryLooksSeveralSetsAhead) {
  Config config = setBoundary(16);
  config.setsAhead = 2;
  Bench bench(config);
  for (unsigned i = 0; i < 8; ++i)
    bench.push();
  walk(bench,
       {
           {'+', "CCCCDDDDD.......", 8, 9, 4}, // the third set; after the fourth comes the first
           {'+', "CCCCDDDDDD......", 9, 10, 4},
           {'+', "CCCCDDDDDDD.....", 10, 11, 4},
           {'+', "CCCCDDDDDDDD....", 11, 12, 4},
           {'+', "CCCCCCCCDDDDD...", 12, 13, 8},
           {'+', "CCCCCCCCDDDDDD..", 13, 14, 8},
           {'+', "CCCCCCCCDDDDDDD.", 14, 15, 8},
           {'+', "CCCCCCCCDDDDDDDD", 15, 16, 8},
           {'+', "DCCCCCCCCCCCDDDD", 0, 16, 12},
           {'+', "DDCCCCCCCCCCDDDD", 1, 16, 12},
           {'-', "D.CCCCCCCCCCDDDD", 0, 15, 12},
           {'-', "..CCCCCCCCCCDDDD", 15, 14, 12}, // current the fourth set, two valid below
           {'-', "..CCCCCCCCCCDDD.", 14, 13, 12},
           {'-', "..CCCCCCCCCCDD..", 13, 12, 12},
           {'-', "..CCCCCCCCCCD...", 12, 11, 12},
           {'-', "CCCCCCCCCCCC....", 11, 12, 12}, // current the third: of the first set two are missing
       });
  EXPECT_EQ(bench.cache.counters().spills, (StackCounters::Transfers{3, 3, 12}));
  EXPECT_EQ(bench.cache.counters().restores, (StackCounters::Transfers{1, 1, 2}));
}

TEST(StackCache, ACleanEntryIsPoppedWithoutARestore) {
  Bench bench(setBoundary(8), 100, 4);
  for (unsigned i = 0; i < 5; ++i)
    bench.push(); // the fifth spills the first set, which stays valid
  for (unsigned i = 0; i < 5; ++i)
    bench.pop();
  EXPECT_EQ(bench.cache.counters().cleanPops, 4u);
  EXPECT_EQ(bench.cache.counters().restores.count, 0u);
  EXPECT_EQ(bench.cache.counters().stallCycles, 0u) << "not even while its spill is under way";
}

// Latency 100, the port takes a transaction every 4 cycles; one operation a cycle.
TEST(StackCache, APushWaitsOnlyForTheSpillOfItsOwnSlot) {
  Bench bench(setBoundary(8), 100, 4);
  u64 cycle = 0;
  auto push = [&] {
    bench.clock.issue(cycle);
    bench.push();
    cycle = bench.clock.now() + 1;
  };
  for (unsigned i = 0; i < 8; ++i)
    push();
  EXPECT_EQ(cycle, 8u) << "the first set went out at cycle 4, and the next four pushes ran beside it";
  push();
  EXPECT_EQ(cycle, 105u) << "entry 8 takes slot 0, which is free at cycle 4 + 100";
  EXPECT_EQ(bench.cache.counters().pushWaits, 1u);
  EXPECT_EQ(bench.cache.counters().stallCycles, 96u);
  for (unsigned i = 0; i < 3; ++i)
    push();
  EXPECT_EQ(cycle, 108u) << "slots 1 to 3 went out with slot 0";
}

TEST(StackCache, APostedWriteFreesItsSlotOnceThePortHasTakenIt) {
  Bench bench(setBoundary(8), 100, 4, true);
  for (u64 cycle = 0; cycle < 40; ++cycle) {
    bench.clock.issue(cycle);
    bench.push();
  }
  EXPECT_EQ(bench.cache.counters().stallCycles, 0u);
}

TEST(StackCache, APopWaitsOnlyForItsOwnRestore) {
  Bench bench(setBoundary(8), 100, 4);
  for (unsigned i = 0; i < 12; ++i) {
    bench.clock.issue(1000 * i);
    bench.push();
  }
  // On chip are 4-11, and 0-7 in memory.
  u64 cycle = 50000;
  auto pop = [&] {
    bench.clock.issue(cycle);
    bench.pop();
    cycle = bench.clock.now() + 1;
  };
  for (unsigned i = 0; i < 4; ++i)
    pop(); // the last empties its set at 50003 and asks for entries 0-3
  EXPECT_EQ(bench.cache.placeOf(0), EntryPlace::Arriving);
  EXPECT_EQ(bench.cache.placeOf(7), EntryPlace::ChipAndMemory);
  for (unsigned i = 0; i < 4; ++i)
    pop();
  EXPECT_EQ(cycle, 50008u) << "entries 7 to 4 were on chip all along";
  pop();
  EXPECT_EQ(cycle, 50104u) << "entry 3 arrives at 50003 + 100";
  EXPECT_EQ(bench.cache.counters().popWaits, 1u);
  EXPECT_EQ(bench.cache.counters().stallCycles, 50103u - 50008u);
}

TEST(MemoryPort, TakesATransactionEveryIntervalAndFillsGaps) {
  MemoryPort port(100, 4, false);
  EXPECT_EQ(port.read(10, 10, 0, 32), 110u);
  EXPECT_EQ(port.read(10, 10, 0, 32), 114u);
  EXPECT_EQ(port.read(200, 10, 0, 32), 300u); // of a warp that will wait until then
  EXPECT_EQ(port.read(11, 11, 0, 32), 118u) << "another warp's, before it";
  EXPECT_EQ(port.read(198, 20, 0, 32), 304u) << "204 is the first gap: 198 to 201 would run into 200";
}

TEST(InMemoryStorage, EveryAccessWaits) {
  StackRegion region(StackRegion::firstAddress, 16);
  MemoryPort port(100, 4, false);
  WarpClock clock;
  InMemoryStorage storage(region, port, clock);
  clock.issue(10);
  storage.push(7);
  EXPECT_EQ(clock.now(), 110u);
  clock.issue(111);
  EXPECT_EQ(storage.pop(), 7u);
  EXPECT_EQ(clock.now(), 211u);
  const StackCounters &counts = storage.counters();
  EXPECT_EQ(counts.stallCycles, 200u);
  EXPECT_EQ(counts.spills, (StackCounters::Transfers{1, 1, 1}));
  EXPECT_EQ(counts.restores, (StackCounters::Transfers{1, 1, 1}));
}

TEST(StackCache, SpilledBitsAreReallyInMemory) {
  Bench bench(thresholdOf8());
  for (unsigned i = 0; i < 20; ++i)
    bench.push();
  ASSERT_GE(bench.cache.spillPointer(), 12u);
  EXPECT_EQ(bench.cache.placeOf(3), EntryPlace::Memory);
  bench.region.write(3, 42); // what is restored is what memory holds
  for (unsigned i = 0; i < 16; ++i)
    bench.pop();
  EXPECT_EQ(bench.cache.pop(), 42u);
  EXPECT_EQ(bench.region.addressOf(3), StackRegion::firstAddress + 24);
}

TEST(StackCache, BitsOnChip) {
  // 16 entries, 3 flags each, head 4 bits, count 5, spill pointer 11 for a limit of 1024.
  Bench bench((Config()));
  EXPECT_EQ(bench.cache.onChipBits(1024), 16u * 64 + 16 * 3 + 4 + 5 + 11);
  OnChipStorage whole;
  EXPECT_EQ(whole.onChipBits(1024), 1024u * 64 + 11);
  EXPECT_LT(bench.cache.onChipBits(1024) * 10, whole.onChipBits(1024));
}

TEST(StackCache, ConfigurationsThatMakeNoCacheAreRefused) {
  auto refused = [](auto change) {
    Config config;
    change(config);
    return llvm::toString(config.check());
  };
  EXPECT_EQ(refused([](Config &c) { c.entries = 1; }),
            "the machine's stack.entries is 1; it must be from 2 to 1024");
  EXPECT_NE(refused([](Config &c) { c.entries = 4, c.policy = Config::SetBoundary; }).find("two or more"),
            std::string::npos);
  EXPECT_NE(refused([](Config &c) { c.entries = 10, c.flags = Config::PerSet; }).find("whole sets"),
            std::string::npos);
  EXPECT_NE(refused([](Config &c) { c.spillThreshold = 16; }).find("15 at most"), std::string::npos);
  EXPECT_NE(refused([](Config &c) { c.moveEntries = 16; }).find("from 1 to 15"), std::string::npos);
  EXPECT_NE(refused([](Config &c) { c.policy = Config::SetBoundary, c.setsAhead = 4; }).find("from 1 to 3"),
            std::string::npos);
  EXPECT_NE(refused([](Config &c) { c.moveEntries = 6, c.flags = Config::PerSet; }).find("multiple of"),
            std::string::npos);
}

// Any sequence, any configuration: what is popped is what was pushed, and the registers agree with each
// other.
TEST(StackCache, RandomSequencesGiveBackWhatWasPushed) {
  std::mt19937 random(1);
  unsigned tried = 0;
  while (tried < 400) {
    Config config;
    config.entries = 2 + random() % 31;
    config.setEntries = 1 + random() % 8;
    config.policy = random() % 2;
    config.flags = random() % 2;
    config.direction = random() % 2;
    config.spillThreshold = random() % config.entries;
    config.restoreThreshold = random() % config.entries;
    config.moveEntries = 1 + random() % (config.entries - 1);
    config.setsAhead = 1 + random() % 3;
    config.restored = random() % 2;
    if (llvm::Error error = config.check()) {
      llvm::consumeError(std::move(error));
      continue;
    }
    ++tried;
    Bench bench(config, random() % 300, random() % 5, random() % 2);
    StackCache &cache = bench.cache;
    std::vector<u64> model;
    u64 cycle = 0;
    for (unsigned i = 0; i < 3000; ++i) {
      bench.clock.issue(cycle);
      bool upwards = i / 300 % 2 ? random() % 3 == 0 : random() % 3 != 0;
      if (model.empty() || (upwards && model.size() < 4096)) {
        model.push_back(u64(random()) << 32 | random());
        cache.push(model.back());
      } else {
        ASSERT_EQ(cache.pop(), model.back());
        model.pop_back();
      }
      cycle = bench.clock.now() + 1 + random() % 3;
      ASSERT_EQ(cache.depth(), model.size());
      ASSERT_LE(cache.entriesOnChip(), cache.capacity());
      ASSERT_LE(cache.depth() - cache.entriesOnChip(), cache.spillPointer()) << "an entry is nowhere";
      ASSERT_LE(cache.spillPointer(), cache.depth());
      ASSERT_TRUE(model.empty() || cache.entriesOnChip() > 0);
      if (i % 100 == 0)
        for (size_t k = 0; k < model.size(); ++k)
          ASSERT_EQ(cache.at(k), model[k]);
    }
  }
}
