#include "emu/Snapshot.h"
#include "Harness.h"
#include "MachineHash.h"
#include "StructuredProgram.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/ClockModels.h"

// A machine that goes back to a snapshot is the machine it was, and does the same again.
using namespace leno;
using namespace leno::test;

namespace {

MemoryImage::Meter meter() { return std::make_shared<u64>(0); }

class NoOne : public Observer {};

} // namespace

TEST(Snapshots, RandomProgramsGoOnFromThemAsBefore) {
  unsigned tried = 0;
  for (u32 seed = 1; tried < effort(60); ++seed) {
    StructuredProgram source = StructuredProgram::random(seed);
    Program code = assembled(source.assembly());
    std::mt19937 random(seed);
    TestMachine machine(randomMachine(random));
    constexpr unsigned ctas = 5;
    u64 table = machine.buffer(tableWords * 4), out = machine.buffer(u64(source.threads) * laneWords * 4);
    machine.setWords(table, source.table());
    Machine &run =
        machine.launch(code, {ctas}, {source.threads}, {u32(table), 0, u32(out), 0}, 64, 50'000'000);
    run.start();
    struct Moment {
      std::unique_ptr<Snapshot> snapshot;
      u64 hash;
    };
    std::vector<Moment> moments;
    MemoryImage::Meter bytes = meter();
    NoOne someone; // who is watched must not matter
    bool watched = false;
    for (;;) {
      moments.push_back({run.snapshot(moments.empty() ? nullptr : moments.back().snapshot.get(), bytes),
                         MachineHash::of(*run.grid())});
      if (random() % 2)
        (watched = !watched) ? run.addObserver(someone) : run.removeObserver(someone);
      if (run.run(1 + random() % 2000).reason == StopReason::Finished || moments.size() > 40)
        break;
    }
    if (moments.size() < 4)
      continue;
    ++tried;
    while (run.run().reason != StopReason::Finished)
      ;
    u64 end = MachineHash::of(*run.grid());
    for (unsigned i = 0; i < 6; ++i) {
      size_t to = random() % moments.size();
      run.restore(*moments[to].snapshot);
      ASSERT_EQ(MachineHash::of(*run.grid()), moments[to].hash) << "seed " << seed << ", moment " << to;
      size_t next = std::min(to + 1 + random() % 3, moments.size() - 1);
      run.run(moments[next].snapshot->ticks() - run.ticks());
      ASSERT_EQ(MachineHash::of(*run.grid()), moments[next].hash)
          << "seed " << seed << ", from " << to << " to " << next;
    }
    run.run();
    EXPECT_EQ(MachineHash::of(*run.grid()), end) << "seed " << seed;
    EXPECT_TRUE(run.grid()->finished());
    moments.clear();
    EXPECT_EQ(*bytes, 0u);
  }
}

TEST(Snapshots, ShareWhatHasNotChanged) {
  TestMachine machine;
  u64 buffer = machine.buffer(1 << 20);
  std::vector<u32> words(1 << 18, 0x01020304);
  machine.setWords(buffer, words);
  Program code = assembled("MOV32I R0, " + std::to_string(buffer) + "\n MOV32I R1, 7\n STG [R0], R1\n EXIT");
  Machine &run = machine.launch(code, {1}, {32});
  run.start();
  MemoryImage::Meter bytes = meter();
  auto first = run.snapshot(nullptr, bytes);
  u64 whole = *bytes;
  EXPECT_GE(whole, u64(1) << 20);
  run.run(3); // one word of the buffer, and registers
  auto second = run.snapshot(first.get(), bytes);
  EXPECT_LE(*bytes - whole, 2 * MemoryImage::pageBytes);
  run.restore(*first);
  EXPECT_EQ(machine.words(buffer, 1)[0], 0x01020304u);
  run.restore(*second);
  EXPECT_EQ(machine.words(buffer, 1)[0], 7u);
  first.reset();
  EXPECT_GE(*bytes, u64(1) << 20) << "the second holds what it shared";
  second.reset();
  EXPECT_EQ(*bytes, 0u);
}

TEST(Snapshots, ATrapIsUndone) {
  TestMachine machine;
  u64 out = machine.buffer(4);
  Program code = assembled("MOV32I R0, 8\n MOV32I R1, 5\n STG [R0], R1\n EXIT");
  Machine &run = machine.launch(code, {1}, {1});
  run.start();
  auto before = run.snapshot(nullptr, meter());
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
  auto trapped = run.snapshot(before.get(), meter());
  run.restore(*before);
  EXPECT_FALSE(run.grid()->trap());
  run.run(2);
  run.grid()->residentCtas()[0]->warps()[0]->writeRegister(0, 0, u32(out));
  EXPECT_EQ(run.run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 1)[0], 5u);
  run.restore(*trapped);
  EXPECT_EQ(run.run().reason, StopReason::Trapped);
}
