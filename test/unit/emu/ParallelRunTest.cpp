#include "emu/launch/ParallelRun.h"
#include "Harness.h"
#include "StructuredProgram.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/observers/BytesBySpace.h"
#include <set>

// A grid on several host threads: what can be seen of it is as on one.
using namespace leno;
using namespace leno::test;

namespace {

/// A machine of five SMs and one launch of a kernel whose parameters are 64-bit addresses.
struct Launched {
  explicit Launched(MachineConfig config = {}, const Engine &engine = widest())
      : machine(fiveSms(config), engine) {}
  static MachineConfig fiveSms(MachineConfig config) {
    config.sm.count = 5;
    return config;
  }
  ParallelRun &launch(const Program &program, Dim3 grid, Dim3 block, std::vector<u64> parameters,
                      unsigned threads, u64 limit = 400'000'000) {
    LaunchSpec spec;
    spec.kernel = "test";
    spec.grid = grid;
    spec.block = block;
    spec.maxInstructions = limit;
    spec.parameters.resize(parameters.size() * 8);
    if (!parameters.empty())
      std::memcpy(spec.parameters.data(), parameters.data(), spec.parameters.size());
    run = cantFail(ParallelRun::create(machine.device, program, spec, threads));
    return *run;
  }
  TestMachine machine;
  std::unique_ptr<ParallelRun> run;
};

bool sameCounts(const Statistics &a, const Statistics &b) {
  auto all = [](const Statistics &s) {
    return std::tuple(s.warpInstructions, s.laneOperations, s.bySemantic, s.branches, s.discards, s.stack,
                      s.deepestStack, s.stackByWord, s.stackBitsOnChip, s.loads, s.stores, s.atomics,
                      s.bytesLoaded, s.bytesStored, s.barrierArrivals, s.ctas, s.warps);
  };
  return all(a) == all(b);
}

constexpr unsigned threadCounts[] = {1, 2, 5};

} // namespace

TEST(ParallelRun, RandomProgramsGiveTheSameMemoryAndCounts) {
  constexpr unsigned ctas = 7;
  for (u32 seed = 1; seed <= effort(60); ++seed) {
    if (!isOurs(seed))
      continue;
    StructuredProgram program = StructuredProgram::random(seed);
    const std::string text = program.assembly(/*isOfGrid=*/true);
    u32 lanes = program.threads * ctas;
    MachineConfig config;
    config.stack.model = seed % 3 ? MachineConfig::Stack::Chip : MachineConfig::Stack::Cache;
    std::optional<Statistics> counts;
    std::vector<LaneResult> expected;
    for (u32 thread = 0; thread < lanes; ++thread)
      expected.push_back(runAlone(program, thread));
    for (const Engine *engine : availableEngines()) {
      Program code = assembled(text, *engine);
      for (unsigned threads : threadCounts) {
        Launched it(config, *engine);
        u64 table = it.machine.buffer(tableWords * 4), out = it.machine.buffer(u64(lanes) * laneWords * 4);
        it.machine.setWords(table, program.table());
        ParallelRun &run = it.launch(code, {ctas}, {program.threads}, {table, out}, threads);
        ASSERT_EQ(run.threads(), threads);
        Statistics statistics;
        run.addObserver(statistics);
        ASSERT_EQ(run.run(), StopReason::Finished) << "seed " << seed;
        std::vector<u32> got = it.machine.words(out, size_t(lanes) * laneWords);
        for (u32 thread = 0; thread < lanes; ++thread) {
          ASSERT_TRUE(
              std::equal(expected[thread].begin(), expected[thread].end(), got.begin() + thread * laneWords))
              << "seed " << seed << ", " << engine->name << ", " << threads << " threads, lane " << thread;
        }
        if (!counts)
          counts = statistics;
        ASSERT_TRUE(sameCounts(*counts, statistics)) << "seed " << seed << ", " << threads << " threads";
        ASSERT_EQ(run.instructions(), statistics.warpInstructions);
      }
    }
  }
}

TEST(ParallelRun, AToolOfPartsHearsWhatOneOfTheWholeDoes) {
  std::string text = R"(
.kernel moves
.param ptr out
  S2R R0, SR_CTAID.X
  S2R R1, SR_TID.X
  SHL R3, R1, 2
  MOV R4, c[0][out]
  IADD R4, R4, R3
  IMUL R8, R0, 400      # each CTA has a place of its own behind the one of all
  IADD R8, R8, R4
again:
  LDC R5, c[0][RZ+4]
  ATOM.add.u32 R6, [R4], R5
  IADD R0, R0, -1
  ISETP.ge P0, R0, 0
  @P0 BRA again
  STG [R8+400], R5
  EXIT
.endkernel
)";
  constexpr u64 ctas = 60, turns = ctas * (ctas + 1) / 2;
  Program code = assembled(text);
  for (unsigned threads = 1; threads <= 4; ++threads)
    for (bool inPieces : {false, true}) {
      Launched it;
      u64 out = it.machine.buffer(400 * (ctas + 1));
      ParallelRun &run = it.launch(code, {ctas}, {100}, {out}, threads);
      run.setSlice(50);
      BytesBySpace bytes;
      run.addObserver(bytes);
      if (inPieces)
        while (run.run(ParallelRun::Nanoseconds(0)) == StopReason::Budget)
          ;
      ASSERT_EQ(inPieces ? StopReason::Finished : run.run(), StopReason::Finished);
      EXPECT_EQ(bytes.bytes[size_t(MemorySpace::Global)], (turns + ctas) * 400) << threads << " threads";
      EXPECT_EQ(bytes.bytes[size_t(MemorySpace::Constant)], turns * 400);
    }
}

TEST(ParallelRun, AtomicsLoseNothing) {
  // Every lane of 40 CTAs: a ticket, a sum, a sum of floats, a 64-bit sum, and a counter by compare and swap.
  std::string text = R"(
.kernel atomics
.param ptr out
.param ptr tickets
  MOV R10, c[0][out]
  MOV R1, 1
  MOV32I R2, 1.0
  MOV R4, 3
  MOV R5, 1
  MOV R20, 40
again:
  ATOM.add R6, [R10], R1
  RED.add [R10+4], R1
  RED.add.f32 [R10+8], R2
  RED.add.u64 [R10+16], R4
  PBK done
  MOV R7, RZ
swap:
  IADD R8, R7, 1
  ATOM.CAS R9, [R10+24], R7, R8
  ISETP.eq P0, R9, R7
  @P0 BRK
  MOV R7, R9
  BRA swap
done:
  SHL R7, R6, 2
  IADD R7, R7, c[0][tickets]
  STG [R7], R1
  IADD R20, R20, -1
  ISETP.gt P0, R20, 0
  @P0 BRA again
  EXIT
.endkernel
)";
  for (const Engine *engine : availableEngines()) {
    Program code = assembled(text, *engine);
    for (unsigned threads : threadCounts) {
      Launched it({}, *engine);
      u32 count = 40 * 33 * 40;
      u64 out = it.machine.buffer(32), tickets = it.machine.buffer(count * 4);
      ASSERT_EQ(it.launch(code, {40}, {33}, {out, tickets}, threads).run(), StopReason::Finished);
      float sum = float(count);
      u32 sumBits;
      std::memcpy(&sumBits, &sum, 4);
      EXPECT_EQ(it.machine.words(out, 8),
                (std::vector<u32>{count, count, sumBits, 0, 3 * count, count, count, 0}));
      EXPECT_EQ(it.machine.words(tickets, count), std::vector<u32>(count, 1)) << "each ticket once";
    }
  }
}

TEST(ParallelRun, LocksExcludeCtasOfOtherThreads) {
  std::string text = R"(
.kernel locked
.param ptr out
  MOV R2, c[0][out]
  MOV R20, 30
again:
  LDLK P0, R1, [R2]
  @!P0 BRA again
  LDG R3, [R2+128]           # not atomic: only the lock keeps others away
  IADD R3, R3, 1
  IADD R1, R1, 2
  STG [R2+128], R3
  STUL [R2], R1
  IADD R20, R20, -1
  ISETP.gt P0, R20, 0
  @P0 BRA again
  EXIT
.endkernel
)";
  Program code = assembled(text);
  for (unsigned threads : threadCounts) {
    Launched it;
    u64 out = it.machine.buffer(256);
    ASSERT_EQ(it.launch(code, {60}, {1}, {out}, threads).run(), StopReason::Finished);
    EXPECT_EQ(it.machine.words(out, 1)[0], 60 * 30 * 2u);
    EXPECT_EQ(it.machine.words(out + 128, 1)[0], 60 * 30u);
  }
}

/// Each CTA waits for the flag of the one before it, and adds to its sum. `poll`: into R3; `post`: R7.
static void runChain(const std::string &poll, const std::string &post) {
  std::string text = R"(
.kernel chain
.param ptr flags
.param ptr sums
  S2R R0, SR_CTAID.X
  SHL R1, R0, 2
  MOV R4, c[0][flags]
  IADD R2, R1, R4
  ISETP.eq P0, R0, 0
  @P0 BRA first
wait:
)" + poll + R"(
  ISETP.eq P1, R3, 0
  @P1 BRA wait
  MEMBAR.GL
  IADD R5, R1, c[0][sums]
  LDG R6, [R5+-4]
  IADD R6, R6, R0
  STG [R5], R6
first:
  MEMBAR.GL
  MOV R7, 1
)" + post + R"(
  EXIT
.endkernel
)";
  Program code = assembled(text);
  for (unsigned threads : threadCounts) {
    Launched it;
    u64 flags = it.machine.buffer(4 * 40), sums = it.machine.buffer(4 * 40);
    ASSERT_EQ(it.launch(code, {40}, {1}, {flags, sums}, threads).run(), StopReason::Finished);
    std::vector<u32> got = it.machine.words(sums, 40);
    for (u32 i = 0; i < 40; ++i)
      EXPECT_EQ(got[i], i * (i + 1) / 2);
  }
}

TEST(ParallelRun, CtasThatWaitForEachOtherGoOn) {
  runChain("ATOM.or R3, [R2+-4], RZ", "ATOM.exch R8, [R2], R7");
}

// Words are not torn on the hosts there are, and MEMBAR orders them; C++ calls it a race all the same.
TEST(ParallelRun, CtasThatPollWithLoadsGoOn) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "a race by the letter of C++";
#endif
  runChain("LDG R3, [R2+-4]", "STG [R2], R7");
}

TEST(ParallelRun, APartTakesTheLastCtasOneByOne) {
  Program code = assembled(".kernel turns\n NOP\n NOP\n EXIT\n.endkernel\n");
  TestMachine machine;
  LaunchSpec spec;
  spec.kernel = "turns";
  spec.grid = {4};
  SharedGrid shared;
  shared.patience = 1;
  std::unique_ptr<Machine> part = cantFail(Machine::create(machine.device, code, spec, {0, 2, &shared}));
  std::vector<size_t> resident;
  for (unsigned moment = 0; moment < 8; ++moment) {
    part->run(1);
    resident.push_back(part->grid()->residentCtas().size());
  }
  // Each CTA has 3 instructions. The second comes before the third instruction, as none has come for 2; the
  // first then ends and is not replaced, since the second is there; and so on, every 2 instructions. That a
  // CTA has ended is noticed in a moment of its own.
  EXPECT_EQ(resident, (std::vector<size_t>{1, 1, 2, 1, 1, 2, 2, 2}));
  EXPECT_EQ(part->run().reason, StopReason::Finished);
  EXPECT_EQ(shared.nextCta, 4u);
}

TEST(ParallelRun, TheTrapOfTheLowestCtaIsTold) {
  // CTAs 6, 11 and those from 20 on store to 0, the lower the later; the others count how often they run.
  std::string text = R"(
.kernel some
.param ptr out
  S2R R0, SR_CTAID.X
  IADD R2, -R0, 60
  IMUL R2, R2, 300
wait:
  IADD R2, R2, -1
  ISETP.gt P0, R2, 0
  @P0 BRA wait
  ISETP.eq P0, R0, 6
  ISETP.eq.or P0, R0, 11, P0
  ISETP.ge.or P0, R0, 20, P0
  @P0 STG [RZ], R0
  SHL R1, R0, 2
  IADD R1, R1, c[0][out]
  STG [R1], R0
  EXIT
.endkernel
)";
  Program code = assembled(text);
  for (unsigned threads : {1, 2, 3, 5})
    for (unsigned repeat = 0; repeat < 5; ++repeat) {
      Launched it;
      u64 out = it.machine.buffer(4 * 60);
      ParallelRun &run = it.launch(code, {60}, {40}, {out}, threads);
      ASSERT_EQ(run.run(), StopReason::Trapped);
      ASSERT_TRUE(run.trap());
      EXPECT_EQ(run.trap()->kind, TrapKind::AddressOutOfRange);
      EXPECT_EQ(run.trap()->cta, (Dim3{6, 0, 0})) << threads << " threads";
      EXPECT_EQ(run.trap()->warp, 0u);
      EXPECT_EQ(run.ctasAbandoned(), 0u);
      std::vector<u32> got = it.machine.words(out, 60);
      for (u32 i = 0; i < 6; ++i)
        EXPECT_EQ(got[i], i) << "the CTAs before it ran to their end";
      EXPECT_EQ(run.run(), StopReason::Trapped) << "again: nothing runs any more";
    }
}

TEST(ParallelRun, ACtaThatWaitsForAFaultyOneEnds) {
  std::string text = R"(
.kernel waits
.param ptr out
  S2R R0, SR_CTAID.X
  ISETP.eq P0, R0, 1
  @P0 STG [RZ], R0
  MOV R1, c[0][out]
again:
  LDG R2, [R1]
  ISETP.eq P0, R2, 0
  @P0 BRA again
  EXIT
.endkernel
)";
  Program code = assembled(text);
  for (unsigned threads : {1, 2}) {
    Launched it;
    u64 out = it.machine.buffer(4);
    ParallelRun &run = it.launch(code, {2}, {1}, {out}, threads, ~u64(0));
    ASSERT_EQ(run.run(), StopReason::Trapped);
    EXPECT_EQ(run.trap()->kind, TrapKind::AddressOutOfRange);
    EXPECT_EQ(run.trap()->cta, (Dim3{1, 0, 0}));
  }
}

TEST(ParallelRun, AStackOverflowEndsItsCtaAndGivesItsLocksBack) {
  // Every third CTA recurses without end, with a lock that the others need.
  std::string text = R"(
.kernel deep
.param ptr out
  S2R R0, SR_CTAID.X
  MOV R4, c[0][out]
  MOV R2, R0
modulo:
  ISETP.lt P0, R2, 3
  @P0 BRA enter
  IADD R2, R2, -3
  BRA modulo
enter:
  LDLK P0, R1, [R4]
  @!P0 BRA enter
  ISETP.eq P1, R2, 2
  @P1 BRA endless
  IADD R1, R1, 1
  STUL [R4], R1
  EXIT
endless:
  CAL endless
  EXIT
.endkernel
)";
  Program code = assembled(text);
  for (unsigned threads : threadCounts) {
    Launched it;
    u64 out = it.machine.buffer(4);
    ParallelRun &run = it.launch(code, {60}, {1}, {out}, threads);
    ASSERT_EQ(run.run(), StopReason::Trapped);
    EXPECT_EQ(run.trap()->kind, TrapKind::StackOverflow);
    EXPECT_EQ(run.trap()->cta, (Dim3{2, 0, 0})) << "the lowest";
    EXPECT_EQ(run.ctasAbandoned(), 20u);
    EXPECT_EQ(it.machine.words(out, 1)[0], 40u);
  }
}

TEST(ParallelRun, TheWatchdogCountsAllThreads) {
  Program forever = assembled(".kernel forever\nagain: BRA again\n.endkernel\n");
  for (unsigned threads : threadCounts)
    for (u64 limit : {u64(1), u64(7), u64(1000), u64(3'000'001)}) {
      Launched it;
      ParallelRun &run = it.launch(forever, {30}, {64}, {}, threads, limit);
      ASSERT_EQ(run.run(), StopReason::Trapped);
      EXPECT_EQ(run.trap()->kind, TrapKind::Timeout);
      EXPECT_EQ(run.trap()->cta, (Dim3{0, 0, 0}));
      EXPECT_EQ(run.instructions(), limit);
    }
}

TEST(ParallelRun, AGridOfExactlyTheLimitEnds) {
  Program three = assembled(".kernel three\n NOP\n NOP\n EXIT\n.endkernel\n");
  for (unsigned threads : threadCounts)
    for (bool enough : {false, true}) {
      Launched it;
      ParallelRun &run = it.launch(three, {200}, {32}, {}, threads, enough ? 600 : 599);
      EXPECT_EQ(run.run(), enough ? StopReason::Finished : StopReason::Trapped);
      EXPECT_EQ(run.instructions(), enough ? 600u : 599u);
    }
}

TEST(ParallelRun, ARunInPiecesEndsAsAWholeOneDoes) {
  std::string text = R"(
.kernel pieces
.param ptr out
  S2R R0, SR_CTAID.X
  MOV32I R2, 20000
wait:
  IADD R2, R2, -1
  ISETP.gt P0, R2, 0
  @P0 BRA wait
  SHL R1, R0, 2
  IADD R1, R1, c[0][out]
  STG [R1], R0
  EXIT
.endkernel
)";
  Program code = assembled(text);
  for (unsigned threads : threadCounts) {
    Launched it;
    u64 out = it.machine.buffer(4 * 100);
    ParallelRun &run = it.launch(code, {100}, {32}, {out}, threads);
    unsigned pieces = 1;
    for (; run.run(std::chrono::microseconds(100)) == StopReason::Budget; ++pieces)
      EXPECT_LE(run.ctasStarted(), 100u);
    EXPECT_GT(pieces, 2u);
    EXPECT_FALSE(run.trap());
    EXPECT_EQ(run.instructions(), 100 * (2 + 3 * 20000 + 4u));
    std::vector<u32> got = it.machine.words(out, 100);
    for (u32 i = 0; i < 100; ++i)
      EXPECT_EQ(got[i], i);
  }
}

TEST(ParallelRun, LocalAndSharedMemoryAndSpilledStacksAreOfTheirThread) {
  std::string text = R"(
.kernel all
.param ptr out
.shared tile, 256
.local 16
  S2R R0, SR_CTAID.X
  S2R R1, SR_TID.X
  SHL R2, R1, 2
  IMAD R3, R0, 64, R1
  STS [R2], R3
  STL [RZ+4], R3
  BAR.SYNC 0
  LOP.xor R4, R2, 252
  LDS R5, [R4]
  LDL R6, [RZ+4]
  IADD R5, R5, R6              # lane i and lane 63 - i of the CTA
  CAL deeper
  SHL R4, R3, 2
  IADD R4, R4, c[0][out]
  STG [R4], R5
  EXIT
deeper:                        # lanes leave one by one
  IADD R1, R1, -1
  ISETP.lt P0, R1, 0
  @P0 RET
  CAL deeper
  IADD R5, R5, 1
  RET
.endkernel
)";
  MachineConfig config;
  config.stack.model = MachineConfig::Stack::Cache;
  Program code = assembled(text);
  for (unsigned threads : threadCounts) {
    Launched it(config);
    u64 out = it.machine.buffer(4 * 64 * 50);
    LaunchSpec spec;
    spec.kernel = "all";
    spec.grid = {50};
    spec.block = {64};
    spec.sharedBytes = 256;
    spec.localBytes = 16;
    spec.parameters.resize(8);
    std::memcpy(spec.parameters.data(), &out, 8);
    auto run = cantFail(ParallelRun::create(it.machine.device, code, spec, threads));
    ASSERT_EQ(run->run(), StopReason::Finished) << run->trap()->str();
    std::vector<u32> got = it.machine.words(out, 64 * 50);
    for (u32 cta = 0; cta < 50; ++cta)
      for (u32 lane = 0; lane < 64; ++lane)
        ASSERT_EQ(got[cta * 64 + lane], 2 * cta * 64 + 63 + lane);
  }
}

TEST(ParallelRun, OneThreadIsChosenWhereTheOrderOfCtasCanBeSeen) {
  auto why = [](const std::string &body, MachineConfig config = {}) {
    bool isCertain;
    return ParallelRun::whyOneThread(config, assembled(".kernel k\n" + body + "\nEXIT\n.endkernel\n"),
                                     isCertain);
  };
  EXPECT_EQ(why("RED.add [R0], R1\n RED.min.s32 [R0], R1\n ATOMS.add R1, [R0], R2\n MEMBAR.CTA\n LDSLK P0, "
                "R1, [R2]"),
            "");
  EXPECT_EQ(why("ATOM.add R1, [R0], R2"), "the program reads what other CTAs' atomics have left");
  EXPECT_EQ(why("ATOM.CAS R1, [R0], R2, R3"), "the program reads what other CTAs' atomics have left");
  EXPECT_EQ(why("RED.add.f32 [R0], R2"), "the program has atomics whose order matters");
  EXPECT_EQ(why("LDLK P0, R1, [R2]"), "the program locks global memory");
  EXPECT_EQ(why("MEMBAR.GL"), "the program orders accesses that other CTAs see");
  EXPECT_EQ(why("S2R R1, SR_CLOCKLO"), "the program reads the clock");
  EXPECT_EQ(why("S2R R1, SR_SMID"), "the program reads SR_SMID");
  MachineConfig cycles, slices;
  cycles.timing.model = MachineConfig::Timing::Cycles;
  slices.l2.model = MachineConfig::L2::Slices;
  EXPECT_EQ(why("NOP", cycles), "timing.model=cycles counts the cycles of all SMs together");
  EXPECT_EQ(why("NOP", slices), "l2.model=slices has one order of all accesses");
  TestMachine machine(cycles);
  LaunchSpec spec;
  spec.grid = {8};
  auto refused = ParallelRun::create(machine.device, assembled(".kernel k\nEXIT\n.endkernel\n"), spec, 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      toString(refused.takeError()),
      "a launch on 2 host threads: timing.model=cycles counts the cycles of all SMs together; leave the "
      "number of threads out");
}
