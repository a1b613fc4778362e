#include "../Effort.h"
#include "ClockModels.h"
#include "Harness.h"
#include "StructuredProgram.h"

// Warps that execute what nobody else sees before their turns (engine/RunAhead.h) leave all as it is where
// each instruction executes in its own turn: memory, cycles, counts and traps.
using namespace leno;
using namespace leno::test;

namespace {

struct Outcome {
  StopReason reason;
  u64 cycles, issued, idle, executed, started;
  StackCounters stack;
  std::vector<std::vector<std::vector<u64>>> tables;
  std::string trap;
  std::vector<u32> memory;
  bool operator==(const Outcome &) const = default;
};

struct Launched {
  StructuredProgram source;
  Program code;
  u32 ctas;
  u64 limit;    ///< of the watchdog
  u64 outBytes; ///< fewer than it stores: it traps
};

Outcome run(const MachineConfig &config, const Launched &launch, bool ahead, u64 piece) {
  TestMachine machine(config);
  std::vector<u32> table = launch.source.table();
  u64 in = machine.buffer(table.size() * 4), out = machine.buffer(launch.outBytes);
  machine.setWords(in, table);
  Machine &run = machine.launch(launch.code, {launch.ctas}, {launch.source.threads},
                                {u32(in), 0, u32(out), 0}, 64, launch.limit);
  run.setRunsAhead(ahead);
  Stop stop;
  do
    stop = run.run(piece);
  while (stop.reason == StopReason::Budget);
  const GridRun &grid = *run.grid();
  CycleCounts counts = *grid.cycleCounts();
  Outcome outcome{stop.reason,
                  counts.cycles,
                  counts.issued,
                  counts.idle,
                  grid.instructions(),
                  grid.ctasStarted(),
                  grid.stackCounters(),
                  {},
                  {},
                  machine.words(out, launch.outBytes / 4)};
  for (const CountTable &one : grid.countTables())
    outcome.tables.push_back(one.rows);
  if (grid.trap())
    outcome.trap = grid.trap()->str() + " at " + std::to_string(grid.trap()->pc);
  return outcome;
}

} // namespace

TEST(RunAhead, ChangesNoCycleNoCountAndNoTrap) {
  unsigned traps = 0, timeouts = 0;
  for (u32 seed = 1; seed <= effort(150); ++seed) {
    std::mt19937 random(seed);
    StructuredProgram source = StructuredProgram::random(seed);
    Program code = assembled(source.assembly());
    u64 bytes = u64(source.threads) * laneWords * 4;
    Launched launch{source, code, u32(1 + random() % 6), 50'000'000, bytes};
    if (random() % 3 == 0)
      launch.limit = 1 + random() % 4000;
    else if (random() % 3 == 0)
      launch.outBytes = bytes / 2;
    MachineConfig config = randomMachine(random);
    config.timing.model = MachineConfig::Timing::Cycles;
    Outcome inTurns = run(config, launch, false, ~u64(0));
    traps += inTurns.reason == StopReason::Trapped && launch.limit == 50'000'000;
    timeouts += inTurns.reason == StopReason::Trapped && launch.limit < 50'000'000;
    for (u64 piece : {~u64(0), u64(1 + random() % 5000), u64(1 + random() % 50)}) {
      Outcome ahead = run(config, launch, true, piece);
      EXPECT_EQ(ahead.cycles, inTurns.cycles);
      EXPECT_EQ(ahead.idle, inTurns.idle);
      EXPECT_EQ(ahead.executed, inTurns.executed);
      EXPECT_EQ(ahead.trap, inTurns.trap);
      EXPECT_EQ(ahead.issued, inTurns.issued);
      EXPECT_EQ(ahead.started, inTurns.started);
      EXPECT_TRUE(ahead.stack == inTurns.stack);
      EXPECT_EQ(ahead.tables, inTurns.tables);
      EXPECT_TRUE(ahead.memory == inTurns.memory);
      ASSERT_TRUE(ahead == inTurns) << "seed " << seed << ", pieces of " << piece;
    }
  }
  EXPECT_GT(traps, 0u);
  EXPECT_GT(timeouts, 0u);
}
