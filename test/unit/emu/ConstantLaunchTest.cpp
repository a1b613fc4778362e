#include "ConstantKernel.h"
#include "test/unit/Effort.h"
#include <algorithm>

// Launches whose constants come through the modelled caches, alone and in streams with constant commands
// between them, against the plainest model there is (ConstantKernel.h).
using namespace leno;
using namespace leno::test;

namespace {

MachineConfig randomMachine(std::mt19937 &random) {
  static constexpr u64 lines[] = {4, 8, 16, 64}, ways[] = {1, 2, 4};
  MachineConfig config;
  config.constants.model = MachineConfig::Constants::Caches;
  ConstantCacheConfig &caches = config.constants.caches;
  u64 line = lines[random() % 4], way = ways[random() % 3];
  caches.l1 = {line * way * (1 + random() % 3), line, way};
  // A datum of 64 bits needs no two lines at once; all else may be as small as it likes.
  u64 line2 = std::max<u64>(line, lines[random() % 4]), way2 = ways[random() % 3];
  caches.l2 = {line2 * way2 * (1 + random() % 4), line2, way2};
  caches.backupWords = 1 + random() % 40;
  caches.queueWords = 1 + random() % 6;
  config.timing.model = random() % 2;
  config.sm.count = 1 + random() % 5;
  config.sm.ctas = 1 + random() % 3;
  config.scheduler.quantum = 1 + random() % 60;
  return config;
}

constexpr u64 protocols[] = {ConstantCacheConfig::OldestL2, ConstantCacheConfig::CurrentL2,
                             ConstantCacheConfig::Drained};

/// What the streams have met, so that the test knows that it tries the hard cases.
struct Met {
  u64 launches = 0, together = 0, lockStalls = 0, copied = 0, backupReads = 0, invalidations = 0, misses = 0;
  std::array<u64, 5> waits{};
};

/// The front end: commands in order, launches side by side. Each launch is a grid of its own; they take turns
/// of a few instructions, so that reads of old constants come after writes of new ones.
class StreamRunner {
public:
  StreamRunner(const MachineConfig &config, std::mt19937 random, Met &met)
      : machine(config), random(random), met(met) {}

  void constant(unsigned bank, u32 offset, u32 value) {
    cantFail(machine.device.constants().write(bank, offset,
                                              {reinterpret_cast<const uint8_t *>(&value), sizeof(value)}));
    for (;;) {
      ConstantUnit::Wait wait = machine.device.constantUnit().write(bank, offset, value);
      ++met.waits[size_t(wait)];
      if (wait == ConstantUnit::Wait::None || !goOn())
        return;
    }
  }
  u64 launch(const Kernel &kernel, u32 ctas, u32 threads, u32 trips) {
    u64 out = machine.buffer(u64(ctas) * threads * 4);
    Machine *run = &machine.launch(*kernel.program, {ctas}, {threads}, {u32(out), 0, trips});
    inFlight.push_back(std::move(machine.run));
    auto isInFlight = [&] { // a turn may be its last
      return std::any_of(inFlight.begin(), inFlight.end(), [&](const auto &one) { return one.get() == run; });
    };
    while (isInFlight() && (!run->start() || run->grid()->ctasStarted() < ctas) && goOn())
      ;
    met.together = std::max<u64>(met.together, inFlight.size());
    ++met.launches;
    return out;
  }
  /// A turn of some launch. False: none can go on, and none is done.
  bool goOn() {
    for (size_t tried = 0, first = random(); tried < inFlight.size(); ++tried) {
      size_t i = (first + tried) % inFlight.size();
      Stop stop = inFlight[i]->run(1 + random() % 200);
      if (stop.reason == StopReason::Waiting)
        continue;
      if (stop.reason == StopReason::Budget)
        return true;
      EXPECT_EQ(stop.reason, StopReason::Finished)
          << (inFlight[i]->grid()->trap() ? inFlight[i]->grid()->trap()->str() : "stopped");
      inFlight.erase(inFlight.begin() + long(i));
      return true;
    }
    ADD_FAILURE() << "nothing can go on";
    return false;
  }
  void finish() {
    while (!inFlight.empty() && goOn())
      ;
    const ConstantUnit &unit = machine.device.constantUnit();
    for (unsigned sm = 0; sm < unit.sms(); ++sm) {
      const ConstantCounts &counts = unit.sm(sm);
      EXPECT_EQ(counts.reads, counts.hits + counts.misses);
      met.lockStalls += counts.lockStalls;
      met.copied += counts.copiedWords;
      met.invalidations += counts.invalidations;
      met.misses += counts.misses;
    }
    met.backupReads += unit.backupReads();
  }

  TestMachine machine;

private:
  std::mt19937 random;
  std::vector<std::unique_ptr<Machine>> inFlight;
  Met &met;
};

/// The same stream under a protocol; every launch's results are checked.
void runStream(unsigned seed, u64 protocol, Met &met) {
  std::mt19937 random(seed);
  MachineConfig config = randomMachine(random);
  config.constants.caches.protocol = protocol;
  ASSERT_EQ(textOf(config.check()), "success");
  std::vector<std::unique_ptr<Kernel>> kernels;
  for (int i = 0; i < 3; ++i)
    kernels.push_back(std::make_unique<Kernel>(random));
  StreamRunner runner(config, std::mt19937(seed * 3 + unsigned(protocol)), met);
  Constants now;
  for (unsigned bank = 1; bank <= banks; ++bank) {
    for (unsigned i = 0; i < bankWords; ++i)
      now[bank].push_back(randomWord(random));
    cantFail(runner.machine.device.constants().write(
        bank, 0, {reinterpret_cast<const uint8_t *>(now[bank].data()), bankWords * 4}));
  }
  struct Launched {
    const Kernel *kernel;
    u32 ctas, threads, trips;
    u64 out;
    Constants constants;
  };
  std::vector<Launched> launched;
  for (unsigned left = 4 + random() % 12, updates = 1 + random() % 9; left > 0; --left) {
    for (; random() % 10 < updates;) {
      unsigned bank = 1 + random() % banks, word = random() % bankWords;
      now[bank][word] = randomWord(random);
      runner.constant(bank, word * 4, now[bank][word]);
    }
    Launched launch{kernels[random() % kernels.size()].get(),
                    u32(1 + random() % 4),
                    u32(1 + random() % 70),
                    u32(1 + random() % 6),
                    0,
                    now};
    launch.out = runner.launch(*launch.kernel, launch.ctas, launch.threads, launch.trips);
    launched.push_back(std::move(launch));
    if (testing::Test::HasFailure())
      return;
  }
  runner.finish();
  for (size_t i = 0; i < launched.size(); ++i) {
    const Launched &l = launched[i];
    std::vector<u32> got = runner.machine.words(l.out, size_t(l.ctas) * l.threads);
    for (u32 thread = 0; thread < got.size(); ++thread)
      ASSERT_EQ(got[thread], l.kernel->result(l.constants, thread, l.threads, l.trips))
          << "seed " << seed << ", protocol " << protocol << ", launch " << i << ", thread " << thread << "\n"
          << l.kernel->text();
  }
}

} // namespace

TEST(ConstantLaunches, StreamsOfLaunchesAndUpdatesComputeTheSame) {
  Met met;
  for (unsigned seed = 0; seed < effort(200) && !HasFailure(); ++seed)
    for (u64 protocol : protocols)
      runStream(seed, protocol, met);
  EXPECT_GE(met.together, 3u);
  EXPECT_GT(met.lockStalls, 0u);
  EXPECT_GT(met.copied, 0u);
  EXPECT_GT(met.backupReads, 0u);
  EXPECT_GT(met.invalidations, 0u);
  for (ConstantUnit::Wait wait : {ConstantUnit::Wait::NoInactiveSm, ConstantUnit::Wait::Locked,
                                  ConstantUnit::Wait::BackupFull, ConstantUnit::Wait::Drain})
    EXPECT_GT(met.waits[size_t(wait)], 0u) << "wait " << unsigned(wait);
}

//===--- By hand ----------------------------------------------------------===//

namespace {

struct Heard : Observer {
  std::string text;
  void constantAccess(const Warp &, const Op &, const ConstantAccess &access) override {
    text += llvm::formatv("c[{0}][{1}]={2} {3}; ", access.bank, access.offset, access.value,
                          unsigned(access.source));
  }
};

MachineConfig cached(u64 protocol = ConstantCacheConfig::OldestL2) {
  MachineConfig config;
  config.sm.count = 2;
  config.timing.model = MachineConfig::Timing::Cycles;
  config.constants.model = MachineConfig::Constants::Caches;
  config.constants.caches.protocol = protocol;
  return config;
}

void setBank(TestMachine &machine, unsigned bank, std::vector<u32> words) {
  cantFail(machine.device.constants().write(
      bank, 0, {reinterpret_cast<const uint8_t *>(words.data()), words.size() * 4}));
}

} // namespace

// One instruction a cycle; a miss 20 cycles more, from memory 270. What a launch brings itself is in the L1s;
// with its start the L2 takes it too, a word each cycle: the 16 words of c[0], later those that are new.
TEST(ConstantLaunches, MissesTakeTheirTime) {
  TestMachine machine(cached());
  setBank(machine, 3, {7, 8, 9});
  Program code = assembled("MOV R1, c[0][0x18]\n MOV R2, c[3][4]\n MOV R3, c[3][8]\n EXIT"); // grid id
  Heard heard;
  auto cycles = [&](Dim3 grid) {
    machine.launch(code, grid, {32});
    machine.run->addObserver(heard);
    EXPECT_EQ(machine.run->run().reason, StopReason::Finished);
    return machine.run->grid()->cycleCounts()->cycles;
  };
  EXPECT_EQ(cycles({1}), 4u + 270 + 15) << "issued in cycle 1, the L2 is free in cycle 16";
  EXPECT_EQ(heard.text, "c[0][24]=1 0; c[3][4]=8 2; c[3][8]=9 0; ");
  heard.text.clear();
  EXPECT_EQ(cycles({1}), 4u) << "the caches outlive launches";
  EXPECT_EQ(heard.text, "c[0][24]=2 0; c[3][4]=8 0; c[3][8]=9 0; ");
  EXPECT_EQ(cycles({2}), 4u + 20 + 1) << "the second SM finds the line in the L2";
  const ConstantUnit &unit = *machine.run->grid()->constantUnit();
  EXPECT_EQ(unit.sm(0).misses, 1u);
  EXPECT_EQ(unit.sm(0).hits, 8u);
  EXPECT_EQ(unit.sm(0).versions, 3u);
  EXPECT_EQ(unit.sm(1).reads, 3u);
  EXPECT_EQ(unit.sm(1).versions, 1u);
  EXPECT_EQ(unit.waitCycles(0), 285u);
  EXPECT_EQ(unit.waitCycles(1), 21u);
}

// The same with what is behind the L2: of a launch, which finds both empty, the miss of its word alone.
TEST(ConstantLaunches, MissesOfTheL2GoThroughAnL15AndTheSlices) {
  MachineConfig config = cached();
  Program code = assembled("MOV R2, c[3][4]\n MOV R3, c[3][4]\n EXIT");
  auto cyclesMore = [&] {
    TestMachine machine(config);
    setBank(machine, 3, {7, 8, 9});
    machine.launch(code, {1}, {32});
    EXPECT_EQ(machine.run->run().reason, StopReason::Finished);
    CountTables counts = machine.run->grid()->countTables();
    for (const CountTable &table : counts)
      if (table.key == llvm::StringRef("l2Slices"))
        EXPECT_EQ(table.rows[0][0] + table.rows[1][0] + table.rows[2][0] + table.rows[3][0], 1u);
      else if (table.key == llvm::StringRef("l15Caches"))
        EXPECT_EQ(table.rows[0], (std::vector<u64>{0, 0, 0, 1, 0}));
    return machine.run->grid()->cycleCounts()->cycles - (3 + 270 + 16);
  };
  EXPECT_EQ(cyclesMore(), 0u) << "memory's 250 behind the 20 of the L2, which is free in cycle 16";
  config.l2.model = MachineConfig::L2::Slices;
  EXPECT_EQ(cyclesMore(), 50u);
  config.l15.model = MachineConfig::ClusterCache::Cache;
  EXPECT_EQ(cyclesMore(), 70u);
  config.l2.model = MachineConfig::L2::Off;
  EXPECT_EQ(cyclesMore(), 20u);
}

// Architecture.md 7: an indexed read with k distinct words is k accesses.
TEST(ConstantLaunches, AnIndexedReadIsAnAccessForEachDistinctWord) {
  TestMachine machine(cached());
  setBank(machine, 3, std::vector<u32>(16, 5));
  Program code = assembled(R"(
    S2R R0, SR_TID.X
    LOP.and R0, R0, 15
    LDC R1, c[3][RZ+8]
    LDC.u8 R1, c[3][R0]      # 16 bytes: four words
    @!PT LDC.u8 R1, c[3][R0]
    EXIT
  )");
  machine.launch(code, {1}, {32});
  EXPECT_EQ(machine.run->run().reason, StopReason::Finished);
  const ConstantUnit &unit = *machine.run->grid()->constantUnit();
  EXPECT_EQ(unit.sm(0).reads, 5u);
  EXPECT_EQ(unit.sm(0).misses, 1u);
  EXPECT_EQ(machine.run->grid()->cycleCounts()->cycles, 6u + 14 + 270 + 3) << "four words, one each cycle";
}

TEST(ConstantLaunches, WhatTrapsReadsNothing) {
  TestMachine machine(cached());
  setBank(machine, 3, {1, 2});
  Program code = assembled("LDC R1, c[3][RZ+8]\n EXIT");
  EXPECT_EQ(machine.launch(code, {1}, {1}).run().reason, StopReason::Trapped);
  EXPECT_EQ(machine.run->grid()->trap()->kind, TrapKind::InvalidConstantAddress);
  EXPECT_EQ(machine.run->grid()->constantUnit()->sm(0).reads, 0u);
  // The SM of a launch that is gone is free again.
  Program good = assembled("MOV R1, c[3][4]\n EXIT");
  machine.run.reset();
  EXPECT_EQ(machine.launch(good, {1}, {1}).run().reason, StopReason::Finished);
}

TEST(ConstantLaunches, MistakesInTheSizesNameTheirKey) {
  MachineConfig config = cached();
  config.constants.caches.l1.ways = 3;
  EXPECT_HOLDS(textOf(config.check()), "constants.l1.ways is 3; it must divide the number of lines, 128");
  config = cached();
  config.constants.latencies.l2Interval = 0;
  EXPECT_HOLDS(textOf(config.check()), "constants.l2.interval is 0; it must be from 1");
}
