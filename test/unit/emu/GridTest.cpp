#include "Harness.h"

using namespace leno;
using namespace leno::test;
using isa::SpecialRegister;

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
  Code code; // linear thread number from the special registers
  auto mad = [&](unsigned d, unsigned a, u32 b, unsigned c) {
    code.op<sem::IMAD>(isa::IMADMods{}, [=](OpBuilder &o) {
      o.dst(Slot::D, d), o.src(Slot::A, a), o.imm(Slot::B, b), o.src(Slot::C, c);
    });
  };
  code.s2r(0, SpecialRegister::TID_X).s2r(1, SpecialRegister::TID_Y).s2r(2, SpecialRegister::TID_Z);
  code.s2r(3, SpecialRegister::CTAID_X).s2r(4, SpecialRegister::CTAID_Y).s2r(5, SpecialRegister::CTAID_Z);
  mad(6, 2, 3, 1), mad(6, 6, 7, 0), mad(7, 5, 2, 4), mad(7, 7, 3, 3), mad(6, 7, 42, 6);
  code.shlImm(8, 6, 2)
      .param(9, 0)
      .iadd(8, 8, 9)
      .ldg(10, 8, 0)
      .iadd(10, 10, 6)
      .iaddImm(10, 10, 1)
      .stg(8, 0, 10)
      .exit();
  code.done();
  Machine &run = machine.launch(code.program, grid, block, {u32(out)});
  EXPECT_EQ(runToEnd(run).reason, StopReason::Finished);
  EXPECT_TRUE(run.grid()->finished());
  std::vector<u32> got = machine.words(out, grid.count() * block.count());
  for (u32 i = 0; i < got.size(); ++i)
    ASSERT_EQ(got[i], i + 1);
}

TEST(Grid, SpecialRegistersTellTheLaunch) {
  TestMachine machine;
  u64 out = machine.buffer(1024 * 4);
  const std::pair<SpecialRegister, u32> expected[] = {
      {SpecialRegister::NTID_X, 40},       {SpecialRegister::NTID_Y, 1},
      {SpecialRegister::NCTAID_X, 1},      {SpecialRegister::NWARPID, 2},
      {SpecialRegister::WARPID, 1},        {SpecialRegister::LANEID, 3},
      {SpecialRegister::LANEMASK_EQ, 8},   {SpecialRegister::LANEMASK_LT, 7},
      {SpecialRegister::LANEMASK_LE, 15},  {SpecialRegister::LANEMASK_GT, ~15u},
      {SpecialRegister::LANEMASK_GE, ~7u}, {SpecialRegister::SHARED_SIZE, 96},
      {SpecialRegister::NSMID, 4}};
  Code code;
  code.s2r(0, SpecialRegister::TID_X).isetpImm(0, isa::Cmp::NE, 0, 35).when(0).exit().param(4, 0);
  s32 offset = 0;
  for (auto [reg, value] : expected)
    code.s2r(1, reg).stg(4, offset, 1), offset += 4;
  code.exit().done();
  ASSERT_EQ(runToEnd(machine.launch(code.program, {}, {40}, {u32(out)}, 96)).reason, StopReason::Finished);
  std::vector<u32> got = machine.words(out, std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i)
    EXPECT_EQ(got[i], expected[i].second) << i;
}

TEST(Grid, TheClockCountsEveryInstructionOfTheSm) {
  for (bool observed : {false, true}) {
    TestMachine machine;
    u64 out = machine.buffer(8);
    Code code;
    code.param(4, 0).s2r(1, SpecialRegister::CLOCKLO).nop().nop().s2r(2, SpecialRegister::CLOCKLO);
    code.stg(4, 0, 1).stg(4, 4, 2).exit().done();
    Machine &run = machine.launch(code.program, {}, {1}, {u32(out)});
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
  Code code;
  code.exit().done();
  Machine &run = machine.launch(code.program, {2, 3, 4}, {5, 6, 7}, {99}, 48);
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
  Code code;
  code.s2r(0, SpecialRegister::TID_X).shlImm(5, 0, 2).sts(5, 0, 0).bar(0);
  code.iaddImm(6, 0, 32).lopImm(6, isa::LogicOp::AND, 6, 511).shlImm(6, 6, 2).lds(7, 6, 0);
  code.param(4, 0).iadd(5, 5, 4).stg(5, 0, 7).exit().done();
  ASSERT_EQ(runToEnd(machine.launch(code.program, {}, {512}, {u32(out)}, 2048)).reason, StopReason::Finished);
  std::vector<u32> got = machine.words(out, 512);
  for (u32 i = 0; i < 512; ++i)
    ASSERT_EQ(got[i], (i + 32) % 512);
}

TEST(Barrier, WarpsThatExitedAreNotWaitedFor) {
  TestMachine machine;
  Code code;
  code.s2r(0, SpecialRegister::WARPID).isetpImm(0, isa::Cmp::EQ, 0, 1).when(0).exit().bar(0).exit().done();
  EXPECT_EQ(runToEnd(machine.launch(code.program, {}, {96})).reason, StopReason::Finished);
}

TEST(Barrier, ALaneOfTheWarpElsewhereIsDivergent) {
  TestMachine machine;
  Code code;
  code.s2r(0, SpecialRegister::TID_X).isetpImm(0, isa::Cmp::LT, 0, 8).when(0).bar(0).exit().done();
  Machine &run = machine.launch(code.program, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::Divergent);
  EXPECT_EQ(run.grid()->trap()->lanes, 0xffffff00u);
  EXPECT_EQ(run.grid()->trap()->pc, 16u);
}

TEST(Barrier, DifferentBarriersDeadlockNamingTheWarps) {
  TestMachine machine;
  Code code;
  code.s2r(0, SpecialRegister::WARPID)
      .isetpImm(0, isa::Cmp::EQ, 0, 1)
      .when(0)
      .bra(5)
      .bar(0)
      .exit()
      .bar(1)
      .exit()
      .done();
  Machine &run = machine.launch(code.program, {}, {96});
  EXPECT_EQ(trapOf(run), TrapKind::BarrierDeadlock);
  EXPECT_NE(run.grid()->trap()->detail.find("warps 0, 2 wait at barrier 0; warp 1 wait at barrier 1"),
            std::string::npos)
      << run.grid()->trap()->detail;
}

TEST(Barrier, ACountThatCannotBeReachedDeadlocks) {
  TestMachine machine;
  Code code;
  code.bar(2, 96).exit().done();
  EXPECT_EQ(trapOf(machine.launch(code.program, {}, {64})), TrapKind::BarrierDeadlock);
}

TEST(Barrier, ACountReleasesThatManyWarps) {
  TestMachine machine;
  Code code; // warps 0 and 1 meet, warp 2 never comes
  code.s2r(0, SpecialRegister::WARPID)
      .isetpImm(0, isa::Cmp::EQ, 0, 2)
      .when(0)
      .exit()
      .bar(3, 64)
      .exit()
      .done();
  EXPECT_EQ(runToEnd(machine.launch(code.program, {}, {96})).reason, StopReason::Finished);
}

TEST(Traps, AKernelThatRunsForEverTimesOut) {
  TestMachine machine;
  Code code;
  code.nop().bra(0).done();
  Machine &run = machine.launch(code.program, {}, {32}, {}, 0, 1000);
  EXPECT_EQ(trapOf(run), TrapKind::Timeout);
  EXPECT_EQ(run.grid()->instructions(), 1000u);
}

TEST(Traps, AGridThatEndsExactlyAtItsLimitDoesNotTimeOut) {
  TestMachine machine;
  Code code;
  code.nop().exit().done();
  EXPECT_EQ(runToEnd(machine.launch(code.program, {}, {32}, {}, 0, 2)).reason, StopReason::Finished);
}

TEST(Traps, RunningPastTheProgramIsPcOutOfRange) {
  TestMachine machine;
  Code code;
  code.nop().done();
  Machine &run = machine.launch(code.program, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::PcOutOfRange);
  EXPECT_EQ(run.grid()->trap()->pc, 8u);
}

TEST(Traps, ABranchOutOfTheProgramIsPcOutOfRangeAtTheBranch) {
  for (s64 target : {-8 * 8, 100 * 8}) {
    TestMachine machine;
    Code code;
    code.nop().op<sem::BRA>(isa::BRAMods{}, [=](OpBuilder &b) { b.target(target - 16); }).exit().done();
    Machine &run = machine.launch(code.program, {}, {32});
    EXPECT_EQ(trapOf(run), TrapKind::PcOutOfRange);
    EXPECT_EQ(run.grid()->trap()->pc, 8u);
    EXPECT_EQ(s64(run.grid()->trap()->address), target);
  }
}

TEST(Traps, ATargetBetweenWordsIsMisalignedPc) {
  TestMachine machine;
  Code code;
  code.op<sem::BRA>(isa::BRAMods{}, [](OpBuilder &b) { b.target(4); }).exit().done();
  EXPECT_EQ(trapOf(machine.launch(code.program, {}, {32})), TrapKind::MisalignedPc);
}

TEST(Traps, AnUndecodableWordIsIllegalAndNamed) {
  TestMachine machine;
  Program program(widest());
  OpBuilder builder(program);
  builder.illegal();
  builder.finish(0xfeedfacecafebeef);
  program.seal();
  Machine &run = machine.launch(program, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::IllegalInstruction);
  EXPECT_NE(run.grid()->trap()->detail.find("feedfacecafebeef"), std::string::npos)
      << run.grid()->trap()->detail;
}

TEST(Traps, ABrokenUniformPromiseIsDivergent) {
  TestMachine machine;
  Code code;
  code.s2r(0, SpecialRegister::TID_X).isetpImm(0, isa::Cmp::LT, 0, 8).when(0).bra(3, true).exit().done();
  Machine &run = machine.launch(code.program, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::Divergent);
  EXPECT_EQ(run.grid()->trap()->lanes, 0xffu);
}

TEST(Traps, EndlessRecursionOverflowsTheStackWithItsCallPath) {
  MachineConfig config;
  config.warp.stackDepth = 20;
  TestMachine machine(config);
  Code code;
  code.cal(1).cal(1).exit().done();
  Machine &run = machine.launch(code.program, {}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::StackOverflow);
  EXPECT_EQ(run.grid()->trap()->calls, (std::vector<CallSite>{{8, 19}, {0, 1}})) << run.grid()->trap()->str();
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
    Code code; // CTAs 3 and 8 call for ever, the others store their number plus 1
    code.s2r(0, SpecialRegister::CTAID_X).isetpImm(0, isa::Cmp::EQ, 0, 3).when(0).bra(11);
    code.isetpImm(0, isa::Cmp::EQ, 0, 8).when(0).bra(11);
    code.param(1, 0).shlImm(2, 0, 2).iadd(1, 1, 2).iaddImm(0, 0, 1).stg(1, 0, 0).exit();
    ASSERT_EQ(code.here(), 11u);
    code.cal(11).done();
    Machine &run = machine.launch(code.program, {10}, {64}, {u32(out)});
    EXPECT_EQ(trapOf(run), TrapKind::StackOverflow);
    EXPECT_EQ(run.grid()->trap()->cta, (Dim3{3, 0, 0})) << "the first is told";
    EXPECT_EQ(run.grid()->ctasAbandoned(), 2u);
    EXPECT_EQ(machine.words(out, 10), (std::vector<u32>{1, 2, 3, 0, 5, 6, 7, 8, 0, 10}));
    EXPECT_EQ(run.run().reason, StopReason::Trapped) << "and again when asked again";
    EXPECT_FALSE(run.grid()->finished());
    Code other;
    other.param(1, 0).stg(1, 0, 1).exit().done();
    Machine &next = machine.launch(other.program, {1}, {32}, {u32(out)});
    EXPECT_EQ(next.run().reason, StopReason::Finished) << "other launches go on";
  }
}

TEST(Traps, OneWarpsTrapStopsTheGridAndStays) {
  TestMachine machine;
  Code code;
  code.s2r(0, SpecialRegister::CTAID_X).isetpImm(0, isa::Cmp::EQ, 0, 3).when(0).ret().exit().done();
  Machine &run = machine.launch(code.program, {10}, {32});
  EXPECT_EQ(trapOf(run), TrapKind::RetEmptyStack);
  EXPECT_EQ(run.grid()->trap()->cta, (Dim3{3, 0, 0}));
  EXPECT_EQ(run.run().reason, StopReason::Trapped) << "and again when asked again";
  EXPECT_FALSE(run.grid()->finished());
}

TEST(Launch, WhatTheMachineCannotHoldIsRefused) {
  TestMachine machine;
  Code code;
  code.exit().done();
  auto refused = [&](LaunchSpec spec) {
    auto run = Machine::create(machine.device, code.program, spec);
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
  Code code;
  code.mov(1, 5).mov(1, 6).mov(1, 7).exit().done();
  Machine &run = machine.launch(code.program, {}, {64});
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
  Code code;
  code.mov(1, 5).mov(1, 6).exit().done();
  Machine &run = machine.launch(code.program, {}, {32});
  ASSERT_TRUE(run.grid()->setBreakpoint(8, true));
  ASSERT_TRUE(run.grid()->setBreakpoint(8, false));
  EXPECT_EQ(run.run().reason, StopReason::Finished);
}

TEST(Debugging, ABreakpointOnAJoinStillJoinsWhenSteppedOver) {
  TestMachine machine;
  Code code;
  code.s2r(0, SpecialRegister::TID_X)
      .isetpImm(0, isa::Cmp::LT, 0, 8)
      .ssy(5)
      .when(0)
      .bra(4)
      .sync()
      .exit()
      .done();
  Machine &run = machine.launch(code.program, {}, {32});
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
  Code code;
  code.mov(1, 5).bar(0).mov(1, 6).exit().done();
  Machine &run = machine.launch(code.program, {}, {64});
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
  Code code;
  code.bpt().exit().done();
  EXPECT_EQ(trapOf(machine.launch(code.program, {}, {32})), TrapKind::Breakpoint);
  Machine &run = machine.launch(code.program, {}, {32});
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
    Code code; // every warp leaves its mark in an order that the turns decide
    code.param(4, 0).s2r(1, SpecialRegister::WARPID).s2r(3, SpecialRegister::CTAID_X).iadd(1, 1, 3).mov(5, 0);
    size_t head = code.here();
    code.ldg(2, 4, 0);
    code.op<sem::IMAD>(isa::IMADMods{}, [](OpBuilder &b) {
      b.dst(Slot::D, 2), b.src(Slot::A, 2), b.imm(Slot::B, 31), b.src(Slot::C, 1);
    });
    code.stg(4, 0, 2).iaddImm(5, 5, 1).isetpImm(0, isa::Cmp::LT, 5, 20).when(0).bra(head).exit().done();
    Machine &run = machine.launch(code.program, {5}, {128}, {u32(out)});
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
    Code code;
    code.s2r(0, SpecialRegister::TID_X).shlImm(5, 0, 2).param(4, 0).iadd(5, 5, 4).mov(1, 9);
    code.ssy(8).joining().bar(0).mov(1, 1).stg(5, 0, 1).exit().done(); // the join jumps over the MOV
    ASSERT_EQ(runToEnd(machine.launch(code.program, {}, {32 * warps}, {u32(out)})).reason,
              StopReason::Finished);
    EXPECT_EQ(machine.words(out, 32 * warps), std::vector<u32>(32 * warps, 9));
  }
}

TEST(PopSync, TheInstructionExecutesBeforeItsLanesJoin) {
  TestMachine machine;
  u64 out = machine.buffer(128);
  Code code;
  code.s2r(0, SpecialRegister::TID_X)
      .shlImm(5, 0, 2)
      .param(4, 0)
      .iadd(5, 5, 4)
      .isetpImm(0, isa::Cmp::LT, 0, 8);
  code.ssy(9).when(0).joining().mov(1, 7).mov(1, 3).sync().stg(5, 0, 1).exit().done();
  ASSERT_EQ(runToEnd(machine.launch(code.program, {}, {32}, {u32(out)})).reason, StopReason::Finished);
  std::vector<u32> got = machine.words(out, 32);
  EXPECT_EQ(got[7], 7u);
  EXPECT_EQ(got[8], 3u);
}

TEST(PopSync, ABreakWithTheBitIsABreak) {
  TestMachine machine;
  Code code;
  code.pbk(2).joining().brk().exit().done();
  EXPECT_EQ(runToEnd(machine.launch(code.program, {}, {32})).reason, StopReason::Finished);
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
  void trap(const Trap &t) override { say(trapName(t.kind)); }
};
} // namespace

TEST(Observer, IsToldEverythingInOrder) {
  TestMachine machine;
  u64 out = machine.buffer(128);
  Code code;
  code.s2r(0, SpecialRegister::TID_X).isetpImm(0, isa::Cmp::LT, 0, 8).ssy(5).when(0).bra(4).sync();
  code.bar(0).param(4, 0).stg(4, 0, 0).exit().done();
  Machine &run = machine.launch(code.program, {}, {32}, {u32(out)});
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
  Code code;
  code.ret().done();
  Machine &run = machine.launch(code.program, {}, {32});
  Scribe scribe;
  run.addObserver(scribe);
  run.run(), run.run();
  EXPECT_EQ(scribe.log, "grid cta warp RET@0 RET_EMPTY_STACK");
}

TEST(Observer, ChangesNoResult) {
  auto run = [](bool observed) {
    TestMachine machine;
    u64 out = machine.buffer(4 * 512);
    Code code;
    code.s2r(0, SpecialRegister::TID_X).shlImm(5, 0, 2).param(4, 0).iadd(5, 5, 4).mov(1, 0);
    size_t head = code.here();
    code.iadd(1, 1, 0).s2r(2, SpecialRegister::CLOCKLO).iadd(1, 1, 2).isetpImm(0, isa::Cmp::LT, 1, 5000);
    code.when(0).bra(head).stg(5, 0, 1).exit().done();
    Machine &grid = machine.launch(code.program, {}, {512}, {u32(out)});
    Scribe scribe;
    if (observed)
      grid.addObserver(scribe);
    EXPECT_EQ(grid.run().reason, StopReason::Finished);
    return machine.words(out, 512);
  };
  EXPECT_EQ(run(false), run(true));
}
