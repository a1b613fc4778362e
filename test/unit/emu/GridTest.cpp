#include "Harness.h"

using namespace leno;
using namespace leno::test;

namespace {
Stop runToEnd(Machine &run) { return run.run(); }
TrapKind trapOf(Machine &run) {
  EXPECT_EQ(runToEnd(run).reason, StopReason::Trapped);
  EXPECT_TRUE(run.grid()->trap());
  return run.grid()->trap() ? run.grid()->trap()->kind : TrapKind::IllegalOperand;
}
} // namespace

TEST(Grid, EveryThreadOfEveryCtaRunsOnce) {
  TestMachine machine;
  Dim3 grid{3, 2, 5}, block{7, 3, 2}; // 42 threads: a partial second warp
  u64 out = machine.buffer(grid.count() * block.count() * 4);
  // Linear thread number from the special registers.
  Program code = assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    S2R R1, SR_TID.Y
    S2R R2, SR_TID.Z
    S2R R3, SR_CTAID.X
    S2R R4, SR_CTAID.Y
    S2R R5, SR_CTAID.Z
    IMAD R6, R2, 3, R1
    IMAD R6, R6, 7, R0
    IMAD R7, R5, 2, R4
    IMAD R7, R7, 3, R3
    IMAD R6, R7, 42, R6
    SHL R8, R6, 2
    MOV R9, c[0][out]
    IADD R8, R8, R9
    LDG R10, [R8]
    IADD R10, R10, R6
    IADD R10, R10, 1
    STG [R8], R10
    EXIT
  )");
  Machine &run = machine.launch(code, grid, block, {u32(out)});
  EXPECT_EQ(runToEnd(run).reason, StopReason::Finished);
  EXPECT_TRUE(run.grid()->finished());
  std::vector<u32> got = machine.words(out, grid.count() * block.count());
  for (u32 i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], i + 1);
}

TEST(Grid, SpecialRegistersTellTheLaunch) {
  TestMachine machine;
  u64 out = machine.buffer(1024 * 4);
  const std::pair<const char *, u32> expected[] = {
      {"NTID.X", 40},      {"NTID.Y", 1},         {"NCTAID.X", 1},      {"NWARPID", 2},
      {"WARPID", 1},       {"LANEID", 3},         {"LANEMASK_EQ", 8},   {"LANEMASK_LT", 7},
      {"LANEMASK_LE", 15}, {"LANEMASK_GT", ~15u}, {"LANEMASK_GE", ~7u}, {"SHARED_SIZE", 96},
      {"NSMID", 4}};
  std::string text = R"(
    .param u32 out
    S2R R0, SR_TID.X
    ISETP.ne P0, R0, 35
    @P0 EXIT
    MOV R4, c[0][out]
  )";
  unsigned offset = 0;
  for (auto [name, value] : expected) {
    text += std::string("S2R R1, SR_") + name + "\nSTG [R4+" + std::to_string(offset) + "], R1\n";
    offset += 4;
  }
  Program code = assembled(text + "EXIT");
  ASSERT_EQ(runToEnd(machine.launch(code, {}, {40}, {u32(out)}, 96)).reason, StopReason::Finished);
  std::vector<u32> got = machine.words(out, std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(got[i], expected[i].second) << i;
}

TEST(Grid, TheClockCountsEveryInstructionOfTheSm) {
  for (bool observed : {false, true}) {
    TestMachine machine;
    u64 out = machine.buffer(8);
    Program code = assembled(R"(
    .param u32 out
    MOV R4, c[0][out]
    S2R R1, SR_CLOCKLO
    NOP
    NOP
    S2R R2, SR_CLOCKLO
    STG [R4], R1
    STG [R4+4], R2
    EXIT
  )");
    Machine &run = machine.launch(code, {}, {1}, {u32(out)});
    Statistics statistics;
    if (observed)
      run.addObserver(statistics);
    ASSERT_EQ(runToEnd(run).reason, StopReason::Finished);
    EXPECT_EQ(machine.words(out, 2), (std::vector<u32>{1, 4}));
    EXPECT_EQ(run.grid()->instructions(), 8u);
  }
}

TEST(Grid, BankZeroHoldsTheGeometry) {
  TestMachine machine;
  Program code = assembled("EXIT");
  Machine &run = machine.launch(code, {2, 3, 4}, {5, 6, 7}, {99}, 48);
  u32 word;
  const u32 expected[] = {5, 6, 7, 2, 3, 4, 1, 48};
  for (u32 i = 0; i < 8; ++i) {
    ASSERT_TRUE(run.grid()->constants().word(0, 4 * i, word));
    EXPECT_EQ(word, expected[i]);
  }
  ASSERT_TRUE(run.grid()->constants().word(0, bank0::parameters, word));
  EXPECT_EQ(word, 99u);
  EXPECT_FALSE(run.grid()->constants().word(0, bank0::parameters + 4, word));
}

// Warp w writes, warp w + 1 reads what it wrote: wrong without the barrier.
TEST(Barrier, WhatWasStoredBeforeIsSeenAfter) {
  MachineConfig config;
  config.scheduler.quantum = 3; // turns end anywhere
  TestMachine machine(config);
  u64 out = machine.buffer(512 * 4);
  Program code = assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    SHL R5, R0, 2
    STS [R5], R0
    BAR.SYNC 0
    IADD R6, R0, 32
    LOP.and R6, R6, 511
    SHL R6, R6, 2
    LDS R7, [R6]
    MOV R4, c[0][out]
    IADD R5, R5, R4
    STG [R5], R7
    EXIT
  )");
  ASSERT_EQ(runToEnd(machine.launch(code, {}, {512}, {u32(out)}, 2048)).reason, StopReason::Finished);
  std::vector<u32> got = machine.words(out, 512);
  for (u32 i = 0; i < 512; ++i)
    ASSERT_EQ(got[i], (i + 32) % 512);
}

TEST(Barrier, WarpsThatExitedAreNotWaitedFor) {
  TestMachine machine;
  Program code = assembled(R"(
    S2R R0, SR_WARPID
    ISETP.eq P0, R0, 1
    @P0 EXIT
    BAR.SYNC 0
    EXIT
  )");
  EXPECT_EQ(runToEnd(machine.launch(code, {}, {96})).reason, StopReason::Finished);
}

TEST(Barrier, ALaneOfTheWarpElsewhereIsDivergent) {
  TestMachine machine;
  Program code = assembled(R"(
    S2R R0, SR_TID.X
    ISETP.lt P0, R0, 8
    @P0 BAR.SYNC 0
    EXIT
  )");
  Machine &run = machine.launch(code, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::Divergent);
  EXPECT_EQ(run.grid()->trap()->lanes, 0xffffff00u);
  EXPECT_EQ(run.grid()->trap()->pc, 16u);
}

TEST(Barrier, DifferentBarriersDeadlockNamingTheWarps) {
  TestMachine machine;
  Program code = assembled(R"(
    S2R R0, SR_WARPID
    ISETP.eq P0, R0, 1
    @P0 BRA other
    BAR.SYNC 0
    EXIT
  other:
    BAR.SYNC 1
    EXIT
  )");
  Machine &run = machine.launch(code, {}, {96});
  EXPECT_EQ(trapOf(run), TrapKind::BarrierDeadlock);
  EXPECT_NE(run.grid()->trap()->detail.find("warps 0, 2 wait at barrier 0; warp 1 wait at barrier 1"),
            std::string::npos)
      << run.grid()->trap()->detail;
}

TEST(Barrier, ACountThatCannotBeReachedDeadlocks) {
  TestMachine machine;
  Program code = assembled("BAR.SYNC 2, 96\n EXIT");
  EXPECT_EQ(trapOf(machine.launch(code, {}, {64})), TrapKind::BarrierDeadlock);
}

TEST(Barrier, ACountReleasesThatManyWarps) {
  TestMachine machine;
  // Warps 0 and 1 meet, warp 2 never comes.
  Program code = assembled(R"(
    S2R R0, SR_WARPID
    ISETP.eq P0, R0, 2
    @P0 EXIT
    BAR.SYNC 3, 64
    EXIT
  )");
  EXPECT_EQ(runToEnd(machine.launch(code, {}, {96})).reason, StopReason::Finished);
}

TEST(Traps, AKernelThatRunsForEverTimesOut) {
  TestMachine machine;
  Program code = assembled("again: NOP\n BRA again");
  Machine &run = machine.launch(code, {}, {32}, {}, 0, 1000);
  EXPECT_EQ(trapOf(run), TrapKind::Timeout);
  EXPECT_EQ(run.grid()->instructions(), 1000u);
}

TEST(Traps, AGridThatEndsExactlyAtItsLimitDoesNotTimeOut) {
  TestMachine machine;
  Program code = assembled("NOP\n EXIT");
  EXPECT_EQ(runToEnd(machine.launch(code, {}, {32}, {}, 0, 2)).reason, StopReason::Finished);
}

TEST(Traps, RunningPastTheProgramIsPcOutOfRange) {
  TestMachine machine;
  Program code = assembled("NOP");
  Machine &run = machine.launch(code, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::PcOutOfRange);
  EXPECT_EQ(run.grid()->trap()->pc, 8u);
}

TEST(Traps, ABranchOutOfTheProgramIsPcOutOfRangeAtTheBranch) {
  for (s64 target : {-8 * 8, 100 * 8}) {
    TestMachine machine;
    Program code = assembled("NOP\n BRA .+" + std::to_string(target - 8) + "\n EXIT");
    Machine &run = machine.launch(code, {}, {32});
    EXPECT_EQ(trapOf(run), TrapKind::PcOutOfRange);
    EXPECT_EQ(run.grid()->trap()->pc, 8u);
    EXPECT_EQ(s64(run.grid()->trap()->address), target);
  }
}

TEST(Traps, ATargetBetweenWordsIsMisalignedPc) {
  TestMachine machine;
  Program code = assembled("MOV32I R1, 4\n BRX R1, end\n end: EXIT");
  EXPECT_EQ(trapOf(machine.launch(code, {}, {32})), TrapKind::MisalignedPc);
}

TEST(Traps, AnUndecodableWordIsIllegalAndNamed) {
  TestMachine machine;
  Program program = assembled(".quad 0xfeedfacecafebeef\n EXIT");
  Machine &run = machine.launch(program, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::IllegalInstruction);
  EXPECT_NE(run.grid()->trap()->detail.find("feedfacecafebeef"), std::string::npos)
      << run.grid()->trap()->detail;
}

TEST(Traps, ABrokenUniformPromiseIsDivergent) {
  TestMachine machine;
  Program code = assembled(R"(
    S2R R0, SR_TID.X
    ISETP.lt P0, R0, 8
    @P0 BRA.U end
  end:
    EXIT
  )");
  Machine &run = machine.launch(code, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::Divergent);
  EXPECT_EQ(run.grid()->trap()->lanes, 0xffu);
}

TEST(Traps, EndlessRecursionOverflowsTheStackWithItsCallPath) {
  MachineConfig config;
  config.warp.stackDepth = 20;
  TestMachine machine(config);
  Program code = assembled("CAL down\n down: CAL down\n EXIT");
  Machine &run = machine.launch(code, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::StackOverflow);
  EXPECT_EQ(run.grid()->trap()->calls, (std::vector<CallSite>{{8, 19}, {0, 1}})) << run.grid()->trap()->str();
}

// S0: the driver programs a limit; here for the machine, for a context and for a launch.
TEST(Traps, EachContextAndEachLaunchMayHaveANestingLimit) {
  Machine machine(MachineConfig(), widest());
  Program code = assembled("CAL down\n down: CAL down\n EXIT");
  auto callsOf = [&](u64 ofContext, u64 ofLaunch) {
    Context &context = *cantFail(machine.createContext({.name = {}, .stackDepth = ofContext}));
    Launch launch{&code, {}, {}, {}};
    launch.spec.kernel = "down";
    launch.spec.grid = {1};
    launch.spec.block = {32};
    launch.spec.stackDepth = ofLaunch;
    cantFail(machine.submit(context, std::move(launch)));
    EXPECT_EQ(machine.run().reason, StopReason::Finished);
    EXPECT_EQ(context.trap()->kind, TrapKind::StackOverflow);
    return context.trap()->calls;
  };
  EXPECT_EQ(callsOf(0, 0), (std::vector<CallSite>{{8, 1023}, {0, 1}}));
  EXPECT_EQ(callsOf(20, 0), (std::vector<CallSite>{{8, 19}, {0, 1}}));
  EXPECT_EQ(callsOf(20, 5), (std::vector<CallSite>{{8, 4}, {0, 1}}));
  EXPECT_EQ(callsOf(20, 30), (std::vector<CallSite>{{8, 29}, {0, 1}}));
  EXPECT_EQ(toString(machine.createContext({.name = "a", .stackDepth = 1025}).takeError()),
            "context 'a' asks for stacks of 1025 entries; a warp has room for 1024: raise warp.stackDepth");
  Launch launch{&code, {}, {}, {}};
  launch.spec.kernel = "down";
  launch.spec.grid = launch.spec.block = {1};
  launch.spec.stackDepth = 2000;
  EXPECT_EQ(toString(machine.submit(*machine.contexts()[0], launch)),
            "context 0 takes no more commands, it has ended: " + machine.contexts()[0]->whyEnded());
  EXPECT_EQ(toString(GridRun::check(MachineConfig(), code, launch.spec)),
            "kernel 'down' asks for a stack of 2000 entries; a warp has room for 1024: raise warp.stackDepth");
}

TEST(Traps, AStackOverflowEndsItsCtaOnly) {
  for (u64 timing : {MachineConfig::Timing::Off, MachineConfig::Timing::Cycles}) {
    MachineConfig config;
    config.warp.stackDepth = 20;
    config.sm.count = 1; // the others need the room that the ended CTAs had
    config.sm.warps = 2;
    config.timing.model = timing;
    TestMachine machine(config);
    u64 out = machine.buffer(10 * 4);
    // CTAs 3 and 8 call for ever, the others store their number plus 1.
    Program code = assembled(R"(
    .param u32 out
    S2R R0, SR_CTAID.X
    ISETP.eq P0, R0, 3
    @P0 BRA down
    ISETP.eq P0, R0, 8
    @P0 BRA down
    MOV R1, c[0][out]
    SHL R2, R0, 2
    IADD R1, R1, R2
    IADD R0, R0, 1
    STG [R1], R0
    EXIT
  down:
    CAL down
  )");
    Machine &run = machine.launch(code, {10}, {64}, {u32(out)});
    EXPECT_EQ(trapOf(run), TrapKind::StackOverflow);
    EXPECT_EQ(run.grid()->trap()->cta, (Dim3{3, 0, 0})) << "the first is told";
    EXPECT_EQ(run.grid()->ctasAbandoned(), 2u);
    EXPECT_EQ(machine.words(out, 10), (std::vector<u32>{1, 2, 3, 0, 5, 6, 7, 8, 0, 10}));
    EXPECT_EQ(run.run().reason, StopReason::Trapped) << "and again when asked again";
    EXPECT_FALSE(run.grid()->finished());
    Program other = assembled(".param u32 out\n MOV R1, c[0][out]\n STG [R1], R1\n EXIT");
    Machine &next = machine.launch(other, {1}, {32}, {u32(out)});
    EXPECT_EQ(next.run().reason, StopReason::Finished) << "other launches go on";
  }
}

TEST(Traps, OneWarpsTrapStopsTheGridAndStays) {
  TestMachine machine;
  Program code = assembled(R"(
    S2R R0, SR_CTAID.X
    ISETP.eq P0, R0, 3
    @P0 RET
    EXIT
  )");
  Machine &run = machine.launch(code, {10}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::RetEmptyStack);
  EXPECT_EQ(run.grid()->trap()->cta, (Dim3{3, 0, 0}));
  EXPECT_EQ(run.run().reason, StopReason::Trapped) << "and again when asked again";
  EXPECT_FALSE(run.grid()->finished());
}

TEST(Launch, WhatTheMachineCannotHoldIsRefused) {
  TestMachine machine;
  Program code = assembled("EXIT");
  auto refused = [&](LaunchSpec spec) {
    auto run = Machine::create(machine.device, code, spec);
    bool failed = !run;
    consumeError(run.takeError());
    return failed;
  };
  LaunchSpec spec;
  EXPECT_FALSE(refused(spec));
  spec.block = {1024};
  EXPECT_FALSE(refused(spec));
  spec.block = {1025};
  EXPECT_TRUE(refused(spec));
  spec.block = {0x10000, 0x10000, 0x10000}; // the product is 2^48
  EXPECT_TRUE(refused(spec));
  spec = {};
  spec.grid = {0};
  EXPECT_TRUE(refused(spec));
  spec = {};
  spec.sharedBytes = 1 << 20;
  EXPECT_TRUE(refused(spec));
  spec = {};
  spec.entry = 8;
  EXPECT_TRUE(refused(spec));
}

TEST(Debugging, ABreakpointStopsBeforeItsInstructionAndRunStepsOver) {
  TestMachine machine;
  Program code = assembled("MOV32I R1, 5\n MOV32I R1, 6\n MOV32I R1, 7\n EXIT");
  Machine &run = machine.launch(code, {}, {64});
  ASSERT_TRUE(run.grid()->setBreakpoint(8, true));
  EXPECT_FALSE(run.grid()->setBreakpoint(4, true));
  EXPECT_FALSE(run.grid()->setBreakpoint(32, true));
  for (unsigned warp = 0; warp < 2; ++warp) { // each warp meets it once
    Stop stop = run.run();
    ASSERT_EQ(stop.reason, StopReason::Breakpoint);
    EXPECT_EQ(stop.warp->index(), warp);
    EXPECT_EQ(stop.warp->pcBytes(), 8u);
    EXPECT_EQ(stop.warp->readRegister(1, 0), 5u);
  }
  EXPECT_EQ(run.run().reason, StopReason::Finished);
  EXPECT_EQ(run.grid()->instructions(), 8u);
}

TEST(Debugging, AClearedBreakpointDoesNotStop) {
  TestMachine machine;
  Program code = assembled("MOV32I R1, 5\n MOV32I R1, 6\n EXIT");
  Machine &run = machine.launch(code, {}, {32});
  ASSERT_TRUE(run.grid()->setBreakpoint(8, true));
  ASSERT_TRUE(run.grid()->setBreakpoint(8, false));
  EXPECT_EQ(run.run().reason, StopReason::Finished);
}

TEST(Debugging, ABreakpointOnAJoinStillJoinsWhenSteppedOver) {
  TestMachine machine;
  Program code = assembled(R"(
    S2R R0, SR_TID.X
    ISETP.lt P0, R0, 8
    SSY join
    @P0 BRA side
  side:
    SYNC
  join:
    EXIT
  )");
  Machine &run = machine.launch(code, {}, {32});
  ASSERT_TRUE(run.grid()->setBreakpoint(4 * 8, true));
  EXPECT_EQ(run.run().reason, StopReason::Breakpoint) << "the taken side";
  Stop other = run.run();
  EXPECT_EQ(other.reason, StopReason::Breakpoint) << "the side that stayed";
  EXPECT_EQ(other.warp->active, 0xffffff00u);
  ASSERT_TRUE(run.grid()->setBreakpoint(5 * 8, true));
  Stop joined = run.run();
  ASSERT_EQ(joined.reason, StopReason::Breakpoint);
  EXPECT_EQ(joined.warp->active, allLanes);
  EXPECT_EQ(run.run().reason, StopReason::Finished);
}

TEST(Debugging, StepRunsOneInstructionOfThatWarpOnly) {
  TestMachine machine;
  Program code = assembled("MOV32I R1, 5\n BAR.SYNC 0\n MOV32I R1, 6\n EXIT");
  Machine &run = machine.launch(code, {}, {64});
  run.start();
  Cta *cta = run.grid()->findCta({0, 0, 0});
  ASSERT_NE(cta, nullptr);
  Warp &first = *cta->warps()[0], &second = *cta->warps()[1];
  EXPECT_EQ(run.step(second).reason, StopReason::Budget);
  EXPECT_EQ(second.pcBytes(), 8u);
  EXPECT_EQ(first.pcBytes(), 0u);
  EXPECT_EQ(run.step(second).reason, StopReason::Budget);
  EXPECT_EQ(run.step(second).reason, StopReason::Waiting) << "the other warp has not arrived";
  run.step(first), run.step(first);
  EXPECT_EQ(run.step(second).reason, StopReason::Budget);
  EXPECT_EQ(second.readRegister(1, 0), 6u);
  EXPECT_EQ(run.run().reason, StopReason::Finished);
}

TEST(Debugging, BptTrapsAloneAndStopsUnderADebugger) {
  TestMachine machine;
  Program code = assembled("BPT 0\n EXIT");
  EXPECT_EQ(trapOf(machine.launch(code, {}, {32})), TrapKind::Breakpoint);
  Machine &run = machine.launch(code, {}, {32});
  run.setDebugger(true);
  Stop stop = run.run();
  EXPECT_EQ(stop.reason, StopReason::Breakpoint);
  EXPECT_EQ(stop.warp->pcBytes(), 8u);
  EXPECT_EQ(run.run().reason, StopReason::Finished);
}

TEST(Debugging, ARunCutInPiecesTakesTheSameTurns) {
  auto result = [](u64 piece) {
    MachineConfig config;
    config.scheduler.quantum = 7;
    config.sm.count = 2;
    TestMachine machine(config);
    u64 out = machine.buffer(4);
    // Every warp leaves its mark in an order that the turns decide.
    Program code = assembled(R"(
    .param u32 out
    MOV R4, c[0][out]
    S2R R1, SR_WARPID
    S2R R3, SR_CTAID.X
    IADD R1, R1, R3
    MOV32I R5, 0
  head:
    LDG R2, [R4]
    IMAD R2, R2, 31, R1
    STG [R4], R2
    IADD R5, R5, 1
    ISETP.lt P0, R5, 20
    @P0 BRA head
    EXIT
  )");
    Machine &run = machine.launch(code, {5}, {128}, {u32(out)});
    while (run.run(piece).reason == StopReason::Budget) {
    }
    EXPECT_TRUE(run.grid()->finished());
    return machine.words(out, 1)[0];
  };
  u32 whole = result(1'000'000);
  EXPECT_EQ(result(1), whole);
  EXPECT_EQ(result(5), whole);
  EXPECT_EQ(result(13), whole);
}

TEST(PopSync, ABarrierWithTheBitJoinsOnceItIsReleased) {
  for (unsigned warps : {1u, 3u}) { // the last to arrive does not wait
    TestMachine machine;
    u64 out = machine.buffer(4 * 96);
    Program code = assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    SHL R5, R0, 2
    MOV R4, c[0][out]
    IADD R5, R5, R4
    MOV32I R1, 9
    SSY join
    BAR.SYNC.S 0 # the join jumps over the MOV
    MOV32I R1, 1
  join:
    STG [R5], R1
    EXIT
  )");
    ASSERT_EQ(runToEnd(machine.launch(code, {}, {32 * warps}, {u32(out)})).reason, StopReason::Finished);
    EXPECT_EQ(machine.words(out, 32 * warps), std::vector<u32>(32 * warps, 9));
  }
}

TEST(PopSync, TheInstructionExecutesBeforeItsLanesJoin) {
  TestMachine machine;
  u64 out = machine.buffer(128);
  Program code = assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    SHL R5, R0, 2
    MOV R4, c[0][out]
    IADD R5, R5, R4
    ISETP.lt P0, R0, 8
    SSY join
    @P0 MOV32I.S R1, 7
    MOV32I R1, 3
    SYNC
  join:
    STG [R5], R1
    EXIT
  )");
  ASSERT_EQ(runToEnd(machine.launch(code, {}, {32}, {u32(out)})).reason, StopReason::Finished);
  std::vector<u32> got = machine.words(out, 32);
  EXPECT_EQ(got[7], 7u);
  EXPECT_EQ(got[8], 3u);
}

TEST(PopSync, ABreakWithTheBitIsABreak) {
  TestMachine machine;
  Program code = assembled("PBK end\n BRK.S\n end: EXIT");
  EXPECT_EQ(runToEnd(machine.launch(code, {}, {32})).reason, StopReason::Finished);
}

namespace {
/// Writes down what it is told.
struct Scribe : Observer {
  std::string log;
  void say(const std::string &what) { log += (log.empty() ? "" : " ") + what; }
  void gridStart(const GridRun &) override { say("grid"); }
  void gridEnd(const GridRun &) override { say("end"); }
  void ctaStart(const Cta &) override { say("cta"); }
  void ctaEnd(const Cta &) override { say("ctaEnd"); }
  void warpStart(const Warp &) override { say("warp"); }
  void warpExit(const Warp &) override { say("exit"); }
  void instruction(const Warp &warp, const Op &op, LaneMask) override {
    say(std::string(semanticName(op.semantic)) + "@" + std::to_string(warp.pcBytes()));
  }
  void memory(const Warp &, const Op &, const MemoryAccess &a) override {
    say((a.kind == MemoryAccess::Kind::Load ? "load" : "store") + std::to_string(a.bytes) + "x" +
        std::to_string(__builtin_popcount(a.lanes)));
  }
  void push(const Warp &, const Op &, const Token &t, const StackAccess &) override {
    say(std::string("push:") + tokenTypeName(t.type));
  }
  void pop(const Warp &, const Op &, const Token &t, const StackAccess &) override {
    say(std::string("pop:") + tokenTypeName(t.type));
  }
  void divergence(const Warp &, const Op &, LaneMask, LaneMask) override { say("diverge"); }
  void reconvergence(const Warp &, const Op &, const Token &, LaneMask) override { say("join"); }
  void barrierArrive(const Warp &, const Op &, unsigned, BarrierOperation) override { say("arrive"); }
  void barrierRelease(const Cta &, unsigned) override { say("release"); }
  void trap(const GridRun &, const Trap &t) override { say(trapName(t.kind)); }
};
} // namespace

TEST(Observer, IsToldEverythingInOrder) {
  TestMachine machine;
  u64 out = machine.buffer(128);
  Program code = assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    ISETP.lt P0, R0, 8
    SSY join
    @P0 BRA side
  side:
    SYNC
  join:
    BAR.SYNC 0
    MOV R4, c[0][out]
    STG [R4], R0
    EXIT
  )");
  Machine &run = machine.launch(code, {}, {32}, {u32(out)});
  Scribe scribe;
  run.addObserver(scribe);
  run.run();
  EXPECT_EQ(
      scribe.log,
      "grid cta warp S2R@0 ISETP@8 SSY@16 push:SYNC BRA@24 push:DIV diverge NOP@32 pop:DIV join "
      "NOP@32 pop:SYNC join BAR_SYNC@40 arrive release MOV@48 STG@56 store4x32 EXIT@64 exit ctaEnd end");
}

TEST(Observer, IsToldOfATrapOnce) {
  TestMachine machine;
  Program code = assembled("RET");
  Machine &run = machine.launch(code, {}, {32});
  Scribe scribe;
  run.addObserver(scribe);
  run.run(), run.run();
  EXPECT_EQ(scribe.log, "grid cta warp RET@0 RET_EMPTY_STACK");
}

TEST(Observer, ChangesNoResult) {
  auto run = [](bool observed) {
    TestMachine machine;
    u64 out = machine.buffer(4 * 512);
    Program code = assembled(R"(
    .param u32 out
    S2R R0, SR_TID.X
    SHL R5, R0, 2
    MOV R4, c[0][out]
    IADD R5, R5, R4
    MOV32I R1, 0
  head:
    IADD R1, R1, R0
    S2R R2, SR_CLOCKLO
    IADD R1, R1, R2
    ISETP.lt P0, R1, 5000
    @P0 BRA head
    STG [R5], R1
    EXIT
  )");
    Machine &grid = machine.launch(code, {}, {512}, {u32(out)});
    Scribe scribe;
    if (observed)
      grid.addObserver(scribe);
    EXPECT_EQ(grid.run().reason, StopReason::Finished);
    return machine.words(out, 512);
  };
  EXPECT_EQ(run(false), run(true));
}
