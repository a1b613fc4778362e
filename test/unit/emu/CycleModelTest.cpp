#include "../Effort.h"
#include "Harness.h"
#include "StructuredProgram.h"

// The cycle model on paper: Architecture.md 11.
using namespace leno;
using namespace leno::test;

namespace {

MachineConfig cycles(u64 sms = 1) {
  MachineConfig config;
  config.sm.count = sms;
  config.timing.model = MachineConfig::Timing::Cycles;
  config.timing.memoryLatency = 100;
  config.timing.memoryInterval = 4;
  return config;
}

Program threeInstructions() { return assembled("NOP\n NOP\n EXIT"); }

/// A push and a pop.
Program pushAndPop() { return assembled("SSY join\n SYNC\n join: EXIT"); }

/// Each thread calls itself as often as its number says, changed by an instruction.
Program recursion(const std::string &change) {
  return assembled("S2R R0, SR_TID.X\n" + change + R"(
    CAL down
    EXIT
  down:
    ISETP.eq P0, R0, 0
    @P0 RET
    IADD R0, R0, -1
    CAL down
    RET
  )");
}

CycleCounts run(MachineConfig config, const Program &code, Dim3 grid, Dim3 block) {
  TestMachine machine(config);
  Machine &run = machine.launch(code, grid, block);
  EXPECT_EQ(run.run().reason, StopReason::Finished);
  return *run.grid()->cycleCounts();
}

} // namespace

TEST(CycleModel, AnSmIssuesOneInstructionACycle) {
  CycleCounts one = run(cycles(), threeInstructions(), {1}, {32});
  EXPECT_EQ(one.cycles, 3u);
  EXPECT_EQ(one.issued, 3u);
  EXPECT_EQ(one.idle, 0u);
  EXPECT_EQ(run(cycles(), threeInstructions(), {1}, {64}).cycles, 6u) << "two warps share the SM";
  EXPECT_EQ(run(cycles(2), threeInstructions(), {2}, {32}).cycles, 3u) << "two SMs run side by side";
}

TEST(CycleModel, AWarpWaitsForTheMemoryItsStackIsIn) {
  MachineConfig config = cycles();
  config.stack.model = MachineConfig::Stack::Memory;
  // SSY at 0, its write complete at 100; SYNC at 101, its read complete at 201; EXIT at 202.
  CycleCounts one = run(config, pushAndPop(), {1}, {32});
  EXPECT_EQ(one.cycles, 203u);
  EXPECT_EQ(one.issued, 3u);
  EXPECT_EQ(one.idle, 200u);
}

TEST(CycleModel, OtherWarpsRunMeanwhileAndShareThePort) {
  MachineConfig config = cycles();
  config.stack.model = MachineConfig::Stack::Memory;
  // The second SSY, at 1, finds the port taken until 4: complete at 104. SYNC at 101 and 105, complete at 201
  // and 205; EXIT at 202 and 206.
  CycleCounts two = run(config, pushAndPop(), {1}, {64});
  EXPECT_EQ(two.cycles, 207u);
  EXPECT_EQ(two.issued, 6u);
  EXPECT_EQ(two.idle, 201u);
}

TEST(CycleModel, AStackOnChipNeverWaits) {
  EXPECT_EQ(run(cycles(), pushAndPop(), {1}, {64}).cycles, 6u);
  MachineConfig cached = cycles();
  cached.stack.model = MachineConfig::Stack::Cache;
  EXPECT_EQ(run(cached, pushAndPop(), {1}, {64}).cycles, 6u);
}

TEST(CycleModel, TheClockRegisterCountsCycles) {
  MachineConfig config = cycles();
  config.stack.model = MachineConfig::Stack::Memory;
  Program code = assembled(R"(
    .param u32 out
    SSY join
    SYNC
  join:
    S2R R1, SR_CLOCKLO
    MOV R2, c[0][out]
    STG [R2], R1
    EXIT
  )");
  TestMachine machine(config);
  u64 out = machine.buffer(4);
  ASSERT_EQ(machine.launch(code, {1}, {1}, {u32(out)}).run().reason, StopReason::Finished);
  EXPECT_EQ(machine.words(out, 1)[0], 202u);
}

TEST(CycleModel, CuttingARunIntoPiecesChangesNothing) {
  MachineConfig config = cycles(2);
  config.stack.model = MachineConfig::Stack::Cache;
  config.stack.entries = 4;
  config.stack.moveEntries = 1;
  Program code = recursion("LOP.and R0, R0, 31");
  std::vector<std::pair<CycleCounts, StackCounters>> results;
  for (u64 slice : {u64(1), u64(7), ~u64(0)}) {
    TestMachine machine(config);
    Machine &run = machine.launch(code, {5}, {96});
    while (run.run(slice).reason == StopReason::Budget)
      ;
    ASSERT_TRUE(run.grid()->finished());
    results.push_back({*run.grid()->cycleCounts(), run.grid()->stackCounters()});
  }
  EXPECT_GT(results[0].second.spills.entries, 0u);
  EXPECT_GT(results[0].second.stallCycles, 0u);
  for (const auto &[counts, stack] : results) {
    EXPECT_EQ(counts.cycles, results[0].first.cycles);
    EXPECT_EQ(counts.idle, results[0].first.idle);
    EXPECT_EQ(stack, results[0].second);
  }
}

// S0: a stack of any depth gives the same result; what differs is time and traffic.
TEST(StackStorages, TheSamePushesAndPopsWhateverHoldsThem) {
  Program code = recursion("");
  StackCounters first;
  for (u64 model : {MachineConfig::Stack::Chip, MachineConfig::Stack::Cache, MachineConfig::Stack::Memory}) {
    MachineConfig config;
    config.stack.model = model;
    TestMachine machine(config);
    Machine &run = machine.launch(code, {1}, {256});
    ASSERT_EQ(run.run().reason, StopReason::Finished);
    StackCounters counts = run.grid()->stackCounters();
    if (model == MachineConfig::Stack::Chip)
      first = counts;
    EXPECT_EQ(counts.pushes, first.pushes);
    EXPECT_EQ(counts.pops, first.pops);
    EXPECT_EQ(counts.deepest, 256u);
    EXPECT_EQ(counts.spills.entries > 0, model != MachineConfig::Stack::Chip);
    EXPECT_EQ(counts.stallCycles, 0u) << "without the cycle model nothing waits";
  }
}

// With units that take an instruction each cycle and give its result in the next one, only memory takes time.
TEST(Units, DefaultsChangeNothingWhereMemoryIsNotModelled) {
  for (u32 seed = 1; seed <= effort(60); ++seed) {
    StructuredProgram source = StructuredProgram::random(seed);
    Program code = assembled(source.assembly());
    std::vector<u32> table = source.table();
    u64 cyclesOf[2];
    std::vector<u32> results[2];
    for (u64 model : {MachineConfig::Units::None, MachineConfig::Units::Scoreboard}) {
      MachineConfig config = cycles(1 + seed % 3);
      config.stack.model = seed % 3;
      config.units.model = model;
      TestMachine machine(config);
      u64 in = machine.buffer(table.size() * 4), out = machine.buffer(u64(source.threads) * laneWords * 4);
      machine.setWords(in, table);
      Machine &run = machine.launch(code, {2}, {source.threads}, {u32(in), 0, u32(out), 0}, 64, 50'000'000);
      ASSERT_EQ(run.run().reason, StopReason::Finished);
      cyclesOf[model] = run.grid()->cycleCounts()->cycles;
      results[model] = machine.words(out, u64(source.threads) * laneWords);
    }
    EXPECT_EQ(cyclesOf[0], cyclesOf[1]) << "seed " << seed;
    EXPECT_EQ(results[0], results[1]) << "seed " << seed;
  }
}
