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
  Program code;
  std::vector<u32> table;
  u32 ctas, threads;
  u64 limit;    ///< of the watchdog
  u64 outBytes; ///< fewer than it stores: it traps
  u32 sharedBytes = 64;
};

Outcome run(const MachineConfig &config, const Launched &launch, bool ahead, u64 piece) {
  TestMachine machine(config);
  u64 in = machine.buffer(launch.table.size() * 4), out = machine.buffer(launch.outBytes);
  machine.setWords(in, launch.table);
  Machine &run = machine.launch(launch.code, {launch.ctas}, {launch.threads}, {u32(in), 0, u32(out), 0},
                                launch.sharedBytes, launch.limit);
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

/// The same ahead, whole and in pieces, as in turns.
Outcome expectTheSameAhead(const MachineConfig &config, const Launched &launch, std::mt19937 &random,
                           const std::string &what) {
  Outcome inTurns = run(config, launch, false, ~u64(0));
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
    EXPECT_TRUE(ahead == inTurns) << what << ", pieces of " << piece;
  }
  return inTurns;
}

/// Warps of a CTA that read and store its shared memory as they like, so that who comes first shows: with
/// loops and branches, some of which part lanes, functions, and barriers of every kind.
class SharedProgram {
public:
  explicit SharedProgram(u32 seed) : random(seed) {}
  std::string text() {
    body = R"(
        .param  u32 in
        .param  u32 unused
        .param  u32 out
        .param  u32 last
        S2R     R0, SR_TID.X
        SHR.u32 R1, R0, 5               # the warp
        LOP.and R2, R0, 63
        SHL     R2, R2, 2
        LOP.and R3, R2, 0xfffffff8
        LOP.and R4, R0, 1
        ISETP.eq P1, R1, 1              # the same in all lanes
        ISETP.lt P2, R1, 2
        ISETP.eq P3, R4, RZ
        MOV     R10, R0
        MOV     R12, c[0][in]
        S2R     R5, SR_CTAID.X
        IMAD    R5, R5, c[0][0], R0
        SHL     R5, R5, 2
        IADD    R13, R5, c[0][out]
)";
    for (unsigned phase = 0, phases = 1 + below(5); phase < phases; ++phase) {
      statements(1 + below(8), 2);
      barrier();
    }
    return body + R"(
        STG     [R13], R10
        EXIT
function:
        LDS     R5, [R2+16]
        IADD    R10, R10, R5
)" + (below(2) ? "        STS     [R2+8], R10\n" : "") +
           R"(        RET
)";
  }

private:
  u32 below(u32 end) { return random() % end; }
  void add(const std::string &line) { body += "        " + line + "\n"; }
  std::string word(u32 bytes = 4) { return std::to_string(below(256 / bytes) * bytes); }
  void statements(unsigned count, unsigned depth) {
    while (count-- > 0)
      statement(depth);
  }
  void statement(unsigned depth) {
    static const char *const guards[] = {"",     "",     "",
                                         "@P1 ", "@P3 ", "@!P2 "}; // of some lanes, or of some warps
    std::string guard = guards[below(6)], number = std::to_string(++labels);
    u32 kind = below(stores ? 14 : 11);
    if (!below(150)) // of eight bytes from 508 on: it traps where a lane executes it
      return add(guard + "LDS.64 R6, [R3+508]");
    if (!below(60))
      return add((below(4) ? "@P5 " : guards[3 + below(3)]) + std::string("EXIT")); // mostly of nobody
    switch (kind) {
    case 0:
    case 1:
      add(guard + "LDS R5, [R2+" + word() + "]");
      return add("IMAD R10, R10, 5, R5");
    case 2:
      add(guard + "LDS R5, [" + word() + "]");
      return add("IADD R10, R10, R5");
    case 3:
      add(guard + "LDS.64 R6, [R3+" + word(8) + "]");
      return add("IMAD R10, R6, 3, R7");
    case 4:
      add(guard + "LDS.u8 R5, [R2+" + word(1) + "]");
      return add("IADD R10, R10, R5");
    case 5:
      return add("IMAD R10, R10, 69069, R1");
    case 6:
      return add("CAL function");
    case 7: // as often as the warp likes
    case 8:
      if (!depth)
        return;
      if (below(2)) {
        add("LOP.and R" + std::to_string(20 + depth) + ", R1, 3");
        body += "loop" + number + ":\n";
        statements(1 + below(4), depth - 1);
        add("IADD R" + std::to_string(20 + depth) + ", R" + std::to_string(20 + depth) + ", -1");
        add("ISETP.gt.s32 P0, R" + std::to_string(20 + depth) + ", RZ");
        return add("@P0 BRA loop" + number);
      }
      add("LOP.and R8, R10, " + std::to_string(1 + below(3)));
      add("ISETP.eq P0, R8, RZ");
      add("SSY join" + number);
      add("@P0 BRA then" + number);
      statements(below(3), depth - 1);
      add("SYNC");
      body += "then" + number + ":\n";
      statements(1 + below(3), depth - 1);
      add("SYNC");
      body += "join" + number + ":\n";
      return;
    case 9:
      add(guard + "LDG R5, [R12]");
      return add("IADD R10, R10, R5");
    case 10:
      return add(guard + "STG [R13], R10");
    case 11:
      return add(guard + "STS [R2+" + word() + "], R10");
    case 12:
      return add(guard + "STS.64 [R3+" + word(8) + "], R10");
    default:
      return add(guard + "ATOMS.add R5, [R2+" + word(16) + "], R10");
    }
  }
  void barrier() {
    stores = below(2);
    switch (below(8)) {
    case 0:
      return; // none
    case 1:
      return add("@P2 BAR.SYNC 3, 64"); // warps 0 and 1 alone
    case 2:
      add("@P2 BAR.ARV 4, 128");
      return add("@!P2 BAR.SYNC 4, 128");
    case 3:
      return add("BAR.RED.POPC R9, 2, P3");
    case 4:
      return add("BAR.SYNC 1");
    default:
      return add("BAR.SYNC 0");
    }
  }

  std::mt19937 random;
  std::string body;
  unsigned labels = 0;
  bool stores = true;
};

} // namespace

// Loads of shared memory run ahead where no warp of the CTA can store.
TEST(RunAhead, ReadsOfSharedMemorySeeWhatTheyWouldInTheirTurns) {
  unsigned traps = 0;
  for (u32 seed = 1; seed <= effort(300); ++seed) {
    std::mt19937 random(seed);
    std::string source = SharedProgram(seed).text();
    MachineConfig config = randomMachine(random);
    config.timing.model = MachineConfig::Timing::Cycles;
    config.sm.warps = 8;
    u32 ctas = u32(1 + random() % 6);
    Launched launch{.code = assembled(source),
                    .table = {0},
                    .ctas = ctas,
                    .threads = 128,
                    .limit = random() % 8 ? 50'000'000 : 1 + random() % 2000,
                    .outBytes = ctas * 128 * 4,
                    .sharedBytes = 512};
    traps += expectTheSameAhead(config, launch, random, source).reason == StopReason::Trapped;
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
  EXPECT_GT(traps, 0u);
}

TEST(RunAhead, ChangesNoCycleNoCountAndNoTrap) {
  unsigned traps = 0, timeouts = 0;
  for (u32 seed = 1; seed <= effort(150); ++seed) {
    std::mt19937 random(seed);
    StructuredProgram source = StructuredProgram::random(seed);
    Program code = assembled(source.assembly());
    u64 bytes = u64(source.threads) * laneWords * 4;
    Launched launch{code, source.table(), u32(1 + random() % 6), source.threads, 50'000'000, bytes};
    if (random() % 3 == 0)
      launch.limit = 1 + random() % 4000;
    else if (random() % 3 == 0)
      launch.outBytes = bytes / 2;
    MachineConfig config = randomMachine(random);
    config.timing.model = MachineConfig::Timing::Cycles;
    Outcome inTurns = expectTheSameAhead(config, launch, random, "seed " + std::to_string(seed));
    ASSERT_FALSE(HasFailure());
    traps += inTurns.reason == StopReason::Trapped && launch.limit == 50'000'000;
    timeouts += inTurns.reason == StopReason::Trapped && launch.limit < 50'000'000;
  }
  EXPECT_GT(traps, 0u);
  EXPECT_GT(timeouts, 0u);
}
