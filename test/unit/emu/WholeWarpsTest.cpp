#include "emu/compiled/CompilerLibrary.h"
#include "emu/launch/ParallelRun.h"
#include "emu/sm/Cta.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/CountsOfRun.h"
#include "test/unit/emu/Harness.h"
#include "test/unit/emu/TierScope.h"

// Where nobody looks at them, warps that begin and end in one turn run at one place an SM, and those that
// come to barriers at one place a CTA. Atomics tell the order of all turns: it is the same as where each warp
// has a place of its own, and so is all else.
using namespace leno;
using namespace leno::test;

namespace {

// A warp counts up for its lanes, does what the table says for it, and counts up again: 12 bits of turns in a
// loop, and then 1: it traps, 2: odd lanes exit earlier, 3: all exit.
const char *const ticketsOfTurns = R"(
        .kernel tickets
        .param ptr counter
        .param ptr table
        .param ptr out
        S2R R0, SR_TID.X
        S2R R1, SR_CTAID.X
        S2R R2, SR_CTAID.Y
        IMAD R1, R2, c[0][12], R1
        IMAD R3, R1, c[0][0], R0
        S2R R5, SR_WARPID
        ISCADD R6, R1, R5, 3
        SHL R6, R6, 2
        IADD.CC R6, R6, c[0][table]
        IADD.X R7, RZ, c[0][table+4]
        LDG R8, [R6.64]
        MOV R20, 1
        MOV R10, c[0][counter]
        MOV R11, c[0][counter+4]
        ATOM.add R9, [R10.64], R20
        SHL R4, R3, 3
        IADD.CC R12, R4, c[0][out]
        IADD.X R13, RZ, c[0][out+4]
        STG [R12.64], R9
        LOP.and R14, R8, 0xfff
again:
        ISETP.eq P0, R14, RZ
  @P0   BRA done
        IADD R14, R14, -1
        BRA again
done:
        SHR R15, R8, 12
        ISETP.eq P1, R15, 1
  @P1   STG [R12.64+1], R9
        ISETP.eq P2, R15, 2
        LOP.and R16, R0, 1
        ISETP.eq.and P3, R16, 1, P2
  @P3   EXIT
        ISETP.eq P4, R15, 3
  @P4   EXIT
        S2R R17, SR_LANEID
        SHL R17, R17, 2
        LDS R18, [R17]
        STS [R17], R9
        LDL R19, [RZ+4]
        STL [RZ+4], R9
        ATOM.add R9, [R10.64], R20
        IADD3 R9, R9, R18, R19
        STG [R12.64+4], R9
        EXIT
        .endkernel
)";

// A warp counts up for its lanes and meets its CTA's others, again and again. What the table says for it
// happens in the phase of bits 7:4, by bits 3:0: 1: it traps, 2: odd lanes exit, 3: all exit, 4: it loops, 5:
// its lanes part and come together again, 6: it waits elsewhere, 7: it takes a lock to the barrier, 8: it
// reads the clock, 9: all wait elsewhere, 10: its lanes part, and it leaves some behind, 11: words that are
// not side by side. Then come phases that only the CTA sees, in each of which a warp counts up in shared
// memory; in that of bits 30:27, by bits 26:24: 1: it traps, 2: its lanes part, 3: it loops, 4: it counts up
// in global memory, 5: it waits elsewhere, 6: it exits.
const char *const meetingsOfWarps = R"(
        .kernel meetings
        .param ptr counter
        .param ptr table
        .param ptr out
        .param u32 phases
        .param u32 own
        .shared room, 1024
        .shared locked, 4
        .shared ticket, 4
        S2R R0, SR_TID.X
        S2R R1, SR_CTAID.X
        S2R R2, SR_CTAID.Y
        IMAD R1, R2, c[0][12], R1
        IMAD R3, R1, c[0][0], R0
        S2R R5, SR_WARPID
        ISCADD R6, R1, R5, 3
        SHL R6, R6, 2
        IADD.CC R6, R6, c[0][table]
        IADD.X R7, RZ, c[0][table+4]
        LDG R8, [R6.64]
        MOV R10, c[0][counter]
        MOV R11, c[0][counter+4]
        SHL R4, R3, 3
        IADD.CC R12, R4, c[0][out]
        IADD.X R13, RZ, c[0][out+4]
        MOV R20, 1
        SHL R14, R0, 2
        LOP.and R22, R14, 0x7c
        LOP.and R15, R8, 15
        SHR R16, R8, 4
        LOP.and R16, R16, 15
        SHR R17, R8, 8
        LOP.and R17, R17, 0x3ff
        SHR R30, R8, 24
        LOP.and R31, R30, 7
        SHR R30, R30, 3
        LOP.and R30, R30, 15
        MOV R18, RZ
        MOV R19, RZ
next:
        ATOM.add R9, [R10.64], R20
        IMAD R19, R19, 3, R9
        STS [R14+room], R19
        ISETP.ne P6, R18, R16
        ISETP.eq.or P6, R15, RZ, P6
  @P6   BRA meet
        ISETP.eq P0, R15, 1
  @P0   STG [R12.64+1], R9
        ISETP.eq P1, R15, 2
        LOP.and R21, R0, 1
        ISETP.eq P5, R21, 1
        ISETP.eq.and P2, R21, 1, P1
  @P2   EXIT
        ISETP.eq P3, R15, 3
  @P3   EXIT
        ISETP.eq P4, R15, 4
  @!P4  BRA stays
again:
        ISETP.eq P4, R17, RZ
  @P4   BRA stays
        IADD R17, R17, -1
        BRA again
stays:
        ISETP.ne P4, R15, 5
  @P4   BRA together
        SSY together
  @P5   BRA odd
        IADD R19, R19, 7
        SYNC
odd:
        LDS R23, [R22+room]
        IMAD R19, R23, 11, R19
        SYNC
together:
        ISETP.eq P4, R15, 6
  @P4   BAR.SYNC 1
        ISETP.ne P4, R15, 7
  @P4   BRA unlocked
        ISETP.eq P3, R0, R22
  @P3   LDSLK P2, R24, [RZ+locked]
        IADD R19, R19, 1
  @P3   STSUL [RZ+locked], R24
unlocked:
        ISETP.eq P4, R15, 8
  @P4   S2R R25, SR_CLOCKLO
        ISETP.eq P4, R15, 9
  @P4   BAR.SYNC 2
        ISETP.ne P4, R15, 10
  @P4   BRA whole
        SSY whole
  @P5   BRA meet
        SYNC
whole:
        ISETP.ne P4, R15, 11
  @P4   BRA meet
        LOP.xor R26, R14, 12
        LDS R27, [R26+room]
        IADD R19, R19, R27
meet:
        BAR.SYNC 0
        LDS R23, [R22+room]
        IMAD R19, R19, 5, R23
        BAR.SYNC 0
        MOV R28, c[0][own]
owns:
        ISETP.eq P0, R28, RZ
  @P0   BRA behind
        ATOMS.add R29, [RZ+ticket], R20
        IMAD R19, R19, 3, R29
        STS [R14+room], R19
        ISETP.ne P6, R28, R30
        ISETP.eq.or P6, R31, RZ, P6
  @P6   BRA ownMeet
        ISETP.eq P0, R31, 1
  @P0   STS [RZ+1], R19
        ISETP.ne P0, R31, 2
  @P0   BRA ownTogether
        SSY ownTogether
  @P5   BRA ownOdd
        IADD R19, R19, 7
        SYNC
ownOdd:
        LDS R23, [R22+room]
        IMAD R19, R23, 11, R19
        SYNC
ownTogether:
        ISETP.ne P0, R31, 3
  @P0   BRA ownStays
ownAgain:
        ISETP.eq P0, R17, RZ
  @P0   BRA ownStays
        IADD R17, R17, -1
        BRA ownAgain
ownStays:
        ISETP.eq P0, R31, 4
  @P0   ATOM.add R9, [R10.64], R20
  @P0   IADD R19, R19, R9
        ISETP.eq P0, R31, 5
  @P0   BAR.SYNC 1
        ISETP.eq P0, R31, 6
  @P0   EXIT
ownMeet:
        BAR.SYNC 0
        LDS R23, [R22+room]
        IMAD R19, R19, 5, R23
        IADD R28, R28, -1
        BRA owns
behind:
        IADD R18, R18, 1
        ISETP.lt P0, R18, c[0][phases]
  @P0   BRA next
        STG [R12.64], R19
        ISETP.eq P0, R0, RZ
  @!P0  EXIT
        ATOM.add R9, [R10.64], R20
        STG [R12.64+4], R9
        EXIT
        .endkernel
)";

struct Tickets {
  Dim3 grid, block;
  std::vector<u32> table;
  MachineConfig config;
  u64 limit = u64(1) << 40;
  u32 phases = 0, own = 0; ///< of meetings
};

struct Outcome {
  std::string end;
  u64 instructions = 0;
  std::vector<u32> out;
  std::vector<std::string> warps; ///< of those on the SMs at the end
  bool operator==(const Outcome &) const = default;
};

std::vector<std::string> warpsOf(const GridRun &grid) {
  std::vector<std::string> found;
  for (const Cta *cta : grid.residentCtas())
    for (const Warp *warp : cta->warps()) {
      std::string text;
      if (warp->past) { // compiled code has passed the end of its turn: nobody looks
        found.push_back(text);
        continue;
      }
      llvm::raw_string_ostream os(text);
      os << cta->multiprocessor().index() << ' ' << grid.linear(cta->index()) << ' ' << warp->index() << ' '
         << unsigned(warp->status);
      if (!warp->exited()) {
        os << ' ' << warp->pcBytes() << ' ' << warp->active << ' ' << warp->lanesLaunched();
        for (unsigned reg = 0; reg < warp->registers(); ++reg)
          for (unsigned lane = 0; lane < laneCount; ++lane)
            os << ' ' << warp->readRegister(reg, lane);
        if (warp->local.size)
          os << ' ' << *reinterpret_cast<u32 *>(warp->localByte(3, 4));
      }
      found.push_back(text);
    }
  return found;
}

/// `counts`: of who wants to know what is told when the grid stops; null: nobody does.
Outcome outcomeOf(const Tickets &launch, const Program &program, const char *tier, bool isUnseen, u64 piece,
                  CountsOfRun *counts = nullptr) {
  TierScope scope(tier);
  TestMachine machine(launch.config, program.engine());
  const size_t words = launch.grid.count() * launch.block.count() * 2;
  const u64 counter = machine.buffer(4, "counter"), table = machine.buffer(launch.table.size() * 4, "table"),
            out = machine.buffer(words * 4, "out");
  machine.setWords(table, launch.table);
  auto half = [](u64 value, int part) { return u32(value >> 32 * part); };
  Machine &run = machine.launch(program, launch.grid, launch.block,
                                {half(counter, 0), half(counter, 1), half(table, 0), half(table, 1),
                                 half(out, 0), half(out, 1), launch.phases, launch.own},
                                launch.phases ? 1044 : 256, launch.limit, launch.phases ? 0 : 8);
  run.setRunsAhead(isUnseen);
  if (counts)
    run.addObserver(*counts);
  while (run.run(piece).reason == StopReason::Budget)
    ;
  Outcome outcome;
  outcome.instructions = run.grid()->instructions();
  outcome.out = machine.words(out, words);
  outcome.out.push_back(machine.words(counter, 1)[0]);
  outcome.warps = warpsOf(*run.grid());
  if (run.grid()->trap())
    outcome.end = run.grid()->trap()->str();
  return outcome;
}

unsigned oneOf(std::mt19937 &random, std::initializer_list<unsigned> values) {
  return values.begin()[random() % values.size()];
}

Tickets randomLaunch(std::mt19937 &random) {
  Tickets launch;
  launch.grid = {1 + unsigned(random() % 9), 1 + unsigned(random() % 4), 1};
  launch.block = {oneOf(random, {1, 32, 33, 64, 90, 128, 256}), 1, 1};
  launch.config.sm.count = oneOf(random, {1, 2, 3, 5, 16});
  launch.config.sm.warps = oneOf(random, {8, 9, 24, 48});
  launch.config.scheduler.quantum = oneOf(random, {12, 50, 200, 1000});
  const unsigned odd = oneOf(random, {0, 0, 1, 6});
  for (u64 i = launch.grid.count() * 8; i > 0; --i) {
    const unsigned kind = random() % 100 < odd ? 1 + unsigned(random() % 3) : 0,
                   turns = random() % 8 ? unsigned(random() % 12) : unsigned(random() % (odd ? 600 : 40));
    launch.table.push_back(turns | kind << 12);
  }
  if (random() % 8 == 0)
    launch.limit = 1 + random() % 6000;
  return launch;
}

} // namespace

static std::vector<const char *> tiersHere() {
  std::vector<const char *> tiers{"interpreter"};
  auto library = compiled::compilerLibrary();
  if (library)
    tiers.push_back("compiled");
  else
    llvm::consumeError(library.takeError());
  return tiers;
}

/// Returns how many trapped.
static unsigned compareOrders(const char *kernel, Tickets launchOf(std::mt19937 &), unsigned launches) {
  const Program program = assembled(kernel);
  std::mt19937 random(7);
  unsigned traps = 0;
  const std::vector<const char *> tiers = tiersHere();
  for (unsigned i = 0; i < launches && !testing::Test::HasFailure(); ++i) {
    const Tickets launch = launchOf(random);
    const PartScope parts(i % 2 ? 200 : 7);
    const ResidentScope resident(i % 3 ? 0 : 300);
    CountsOfRun counted;
    const Outcome expected = outcomeOf(launch, program, "interpreter", false, ~u64(0), &counted);
    traps += !expected.end.empty();
    for (const char *tier : tiers)
      for (u64 piece : {~u64(0), u64(25000), u64(5000), u64(300), u64(37)}) {
        CountsOfRun counts;
        const bool isCounted = (i + piece) % 2;
        Outcome got = outcomeOf(launch, program, tier, true, piece, isCounted ? &counts : nullptr);
        if (isCounted)
          EXPECT_EQ(counts.differenceTo(counted), "") << i << ", " << tier << ", pieces of " << piece;
        for (size_t k = 0; k < got.warps.size() && k < expected.warps.size(); ++k)
          if (got.warps[k].empty())
            got.warps[k] = expected.warps[k];
        EXPECT_EQ(got.end, expected.end) << i << ", " << tier << ", pieces of " << piece;
        EXPECT_EQ(got.instructions, expected.instructions) << i << ", " << tier << ", pieces of " << piece;
        EXPECT_EQ(got.out, expected.out) << i << ", " << tier << ", pieces of " << piece;
        EXPECT_EQ(got.warps, expected.warps) << i << ", " << tier << ", pieces of " << piece;
      }
  }
  return traps;
}

TEST(WholeWarps, HaveTheirTurnsInTheSameOrder) {
  EXPECT_GT(compareOrders(ticketsOfTurns, randomLaunch, effort(150)), effort(10));
}

// Compiled code runs the whole ones of a CTA from their start to their end.
TEST(WholeWarps, TheLastOfACtaMayHaveFewerLanes) {
  const Program program = assembled(R"(
        .kernel fives
        .param ptr out
        S2R R0, SR_TID.X
        S2R R1, SR_CTAID.X
        IMAD R2, R1, c[0][0], R0
        S2R R3, SR_WARPID
        SHL R2, R2, 2
        IADD.CC R4, R2, c[0][out]
        IADD.X R5, RZ, c[0][out+4]
        MOV R6, 5
again:
        IADD R3, R3, R1
        IADD R6, R6, -1
        ISETP.ne P0, R6, RZ
  @P0   BRA again
        STG [R4.64], R3
        EXIT
        .endkernel
)");
  constexpr unsigned ctas = 100;
  for (const char *tier : tiersHere())
    for (unsigned threads : {1, 32, 33, 50, 95, 96, 100}) {
      TierScope scope(tier);
      TestMachine machine({}, program.engine());
      const u64 out = machine.buffer(ctas * threads * 4, "out");
      Machine &run = machine.launch(program, {ctas, 1, 1}, {threads, 1, 1}, {u32(out), u32(out >> 32)});
      run.setRunsAhead(true);
      EXPECT_EQ(run.run().reason, StopReason::Finished);
      const std::vector<u32> got = machine.words(out, ctas * threads);
      for (unsigned i = 0; i < ctas * threads; ++i)
        ASSERT_EQ(got[i], i / threads * 5 + i % threads / 32) << tier << ", " << threads << " threads, " << i;
    }
}

static Tickets randomMeetings(std::mt19937 &random) {
  Tickets launch;
  launch.grid = {1 + unsigned(random() % 9), 1 + unsigned(random() % 4), 1};
  launch.block = {oneOf(random, {32, 64, 96, 128, 256}), 1, 1};
  launch.config.sm.count = oneOf(random, {1, 2, 3, 5});
  launch.config.sm.warps = oneOf(random, {8, 9, 24, 48});
  launch.config.scheduler.quantum = oneOf(random, {30, 60, 200, 1000});
  launch.phases = 1 + unsigned(random() % 5);
  launch.own = oneOf(random, {0, 1, 3, 6, 6, 12});
  const unsigned odd = oneOf(random, {0, 1, 1, 2, 12});
  const bool isHarmless = random() % 2, isOwn = random() % 2;
  for (u64 i = launch.grid.count() * 8; i > 0; --i) {
    unsigned kind = !isOwn && random() % 100 < odd ? 1 + unsigned(random() % 11) : 0;
    if (isHarmless && (kind == 1 || kind == 6 || kind == 9 || kind == 10))
      kind = 5;
    const unsigned turns = random() % 4 ? unsigned(random() % 20) : unsigned(random() % 600);
    unsigned ownKind = random() % 100 < odd ? 1 + unsigned(random() % 6) : 0;
    if (isHarmless && (ownKind == 1 || ownKind == 5))
      ownKind = 2;
    launch.table.push_back(kind | unsigned(random() % launch.phases) << 4 | turns << 8 | ownKind << 24 |
                           unsigned(random() % 13) << 27);
  }
  if (random() % 8 == 0)
    launch.limit = 1 + random() % 9000;
  return launch;
}

TEST(PhasedCtas, HaveTheirTurnsInTheSameOrder) {
  EXPECT_GT(compareOrders(meetingsOfWarps, randomMeetings, effort(250)), effort(10));
}

static Tickets randomVisits(std::mt19937 &random) {
  Tickets launch = randomMeetings(random);
  launch.block.x = oneOf(random, {32, 64, 96, 128, 256});
  launch.grid = {8 + unsigned(random() % 9), 1, 1};
  launch.config.scheduler.quantum = oneOf(random, {60, 200, 1000});
  launch.phases = 1 + unsigned(random() % 3);
  launch.own = oneOf(random, {6, 12, 20, 40});
  const unsigned odd = oneOf(random, {0, 0, 1, 4});
  launch.table.resize(launch.grid.count() * 8);
  for (u32 &its : launch.table) {
    const u32 kind = random() % 100 < odd ? oneOf(random, {2, 3, 4, 4, 6}) : 0;
    its = u32(random() % 20) << 8 | kind << 24 | u32(random() % 13) << 27;
  }
  launch.limit = random() % 2 ? 1000 + random() % 30000 : Tickets().limit;
  return launch;
}

// Many turns of an SM that execute nothing, before those of others, and taken back.
TEST(PhasedCtas, MayBeAheadOfOtherSms) {
  EXPECT_GT(compareOrders(meetingsOfWarps, randomVisits, effort(300)), effort(20));
}

// A fault of one part of a grid ends the CTAs behind it and none before.
TEST(WholeWarps, EndWithTheFirstFaultOnThreads) {
  const Program program = assembled(ticketsOfTurns);
  for (unsigned threads : {1, 2, 5})
    for (unsigned i = 0; i < effort(10); ++i) {
      std::mt19937 random(i);
      TestMachine machine({}, program.engine());
      LaunchSpec spec;
      spec.kernel = "test";
      spec.grid = {200, 1, 1};
      spec.block = {96, 1, 1};
      spec.sharedBytes = 256;
      spec.localBytes = 8;
      const unsigned first = 20 + unsigned(random() % 150);
      std::vector<u32> table(1600);
      for (unsigned cta = first; cta < 200; cta += 1 + random() % 9)
        table[cta * 8 + random() % 3] = 1 << 12;
      table[first * 8 + 1] = 1 << 12;
      const u64 addresses[] = {machine.buffer(4), machine.buffer(table.size() * 4),
                               machine.buffer(200 * 96 * 8)};
      machine.setWords(addresses[1], table);
      spec.parameters.resize(sizeof(addresses));
      std::memcpy(spec.parameters.data(), addresses, sizeof(addresses));
      auto run = cantFail(ParallelRun::create(machine.device, program, spec, threads));
      ASSERT_EQ(run->run(), StopReason::Trapped);
      EXPECT_EQ(run->trap()->cta.x, first) << threads << " threads, " << i;
    }
}
