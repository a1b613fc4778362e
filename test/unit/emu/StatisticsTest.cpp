#include "emu/observe/Statistics.h"
#include "Harness.h"
#include "test/unit/emu/EachCounter.h"

// Counts of operations, which come from stretches and groups of them, against counts one by one.
using namespace leno;
using namespace leno::test;

namespace {

/// Of a launch of two CTAs that stops now and then.
void expectCountsOf(llvm::StringRef text, Dim3 block) {
  Program program = assembled(text.str());
  for (u64 piece : {1, 2, 3, 5, 7, 1000}) {
    auto run = [&](llvm::ArrayRef<Observer *> observers) {
      TestMachine machine;
      Machine &grid = machine.launch(program, {2}, block);
      Statistics statistics;
      grid.addObserver(statistics);
      for (Observer *observer : observers)
        grid.addObserver(*observer);
      while (grid.run(piece).reason == StopReason::Budget) {
      }
      EXPECT_TRUE(grid.grid()->isOver());
      EXPECT_EQ(statistics.warpInstructions, grid.grid()->instructions());
    };
    expectCountsAsOneByOne(run, "pieces of " + std::to_string(piece));
  }
}

} // namespace

TEST(Statistics, CountWhatHappened) {
  TestMachine machine;
  u64 out = machine.buffer(128);
  // Lanes 0..7 take the branch, both sides join.
  Program code = assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    ISETP.lt P0, R0, 8
    SSY join
    @P0 BRA side
    SYNC
  side:
    NOP
    SYNC
  join:
    SHL R5, R0, 2
    MOV R4, c[0][out]
    IADD R5, R5, R4
    STG [R5], R0
    EXIT
  )");
  Machine &run = machine.launch(code, {}, {32}, {u32(out)});
  Statistics s;
  run.addObserver(s);
  ASSERT_EQ(run.run().reason, StopReason::Finished);
  EXPECT_EQ(s.warpInstructions, run.grid()->instructions());
  EXPECT_EQ(s.warpInstructions, 12u);
  EXPECT_EQ(s.branches, 1u);
  EXPECT_EQ(s.stack.divergences, 1u);
  EXPECT_EQ(s.stack.pushed(), 2u);
  EXPECT_EQ(s.stack.popped(), 2u);
  EXPECT_EQ(s.deepestStack, 2u);
  EXPECT_EQ(s.stack.reconvergences, 2u);
  EXPECT_EQ(s.laneOperations, 32u * 3 + 8 + 8 + 8 + 24 + 32u * 5);
  EXPECT_EQ(s.stores[0], 1u);
  EXPECT_EQ(s.bytesStored, 128u);
  EXPECT_EQ(s.bySemantic[size_t(Semantic::NOP)], 3u);
  EXPECT_EQ(s.ctas, 1u);
  EXPECT_EQ(s.warps, 1u);
}

TEST(Statistics, AStretchGoesOnBehindABarrier) {
  expectCountsOf(R"(
.kernel turns
  S2R R0, SR_TID.X
  ISETP.lt.u32 P0, R0, 40
  MOV R1, 3
again:
  @P0 IADD R2, R2, 1
  BAR.SYNC 0
  @P0 IADD R3, R3, 1
  @!P0 IADD R3, R3, 2
  IADD R1, R1, -1
  ISETP.gt P1, R1, 0
  @P1 BRA again
  EXIT
.endkernel
)",
                 {96});
}

TEST(Statistics, WarpsOfACtaThatIsEndedCountUpToWhereTheyWait) {
  expectCountsOf(R"(
.kernel deep
  S2R R0, SR_TID.X
  ISETP.lt.u32 P0, R0, 32
  @P0 BRA down
  IADD R1, R1, 1
  BAR.SYNC 0
  EXIT
down:
  CAL down
.endkernel
)",
                 {64});
}

// Operations with one guard are counted as a group: not those behind a turn's end, nor behind a trap.
TEST(Statistics, GuardsAreCountedInGroupsAsOneByOne) {
  for (u64 piece = 1; piece <= 10; ++piece) {
    TestMachine machine;
    Program code = assembled(R"(
    S2R R0, SR_TID.X
    ISETP.lt P0, R0, 8
    @P0 MOV32I R1, 1
    @P0 MOV32I R2, 2
    @P0 ISETP.lt P0, R0, 4  # lanes 4 to 7 pass the guard here and no longer below
    @P0 MOV32I R3, 3
    @!P0 MOV32I R4, 4
    @!P0 MOV32I R5, 5
    @P0 MOV32I R6, 6
    @P0 STG [R9], R1        # there is nothing at address 0
    @P0 MOV32I R7, 7
    EXIT
  )");
    Machine &run = machine.launch(code, {}, {32});
    Statistics s;
    run.addObserver(s);
    while (run.run(piece).reason == StopReason::Budget) {
    }
    ASSERT_TRUE(run.grid()->trap());
    EXPECT_EQ(s.warpInstructions, 9u);
    EXPECT_EQ(s.laneOperations, 2u * 32 + 3 * 8 + 4 + 2 * 28 + 4) << "pieces of " << piece;
    EXPECT_EQ(s.bySemantic[size_t(Semantic::MOV32I)], 6u);
    EXPECT_EQ(s.stores[0], 0u);
  }
}
