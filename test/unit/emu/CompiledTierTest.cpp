#include "emu/StateHash.h"
#include "emu/compiled/CodeImage.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/compiled/HotKernel.h"
#include "emu/engine/Services.h"
#include "emu/launch/ParallelRun.h"
#include "emu/program/OpFacts.h"
#include "emu/sm/Cta.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/CountsOfRun.h"
#include "test/unit/emu/Harness.h"
#include "test/unit/emu/StructuredProgram.h"
#include "test/unit/emu/TierScope.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <thread>

// The compiled tier against the interpreter: memory, registers, predicates, flags, stack, traps and counts are
// the same wherever a run is cut in pieces, also inside of what is compiled as one.
using namespace leno;
using namespace leno::test;

namespace {

class CompiledTier : public testing::Test {
protected:
  void SetUp() override {
    auto library = compiled::compilerLibrary();
    if (!library)
      GTEST_SKIP() << llvm::toString(library.takeError());
  }
};

struct Work {
  Program program;
  Dim3 grid{1, 1, 1}, block{32, 1, 1};
  std::vector<std::vector<u32>> buffers{}; ///< each is a parameter: the address of its words
  u32 sharedBytes = 0, localBytes = 0;
  u64 limit = 1'000'000;
  MachineConfig config{};
};

/// What can be seen of a run.
struct Outcome {
  std::string end; ///< the trap
  u64 instructions = 0;
  StackCounters stack;
  std::vector<std::vector<u32>> buffers;
  std::vector<u64> states; ///< of all warps, wherever it stopped
  std::vector<CountsOfRun> counts; ///< and what was counted by then
  bool operator==(const Outcome &) const = default;
};

u64 stateOf(const GridRun &run) {
  StateHash hash;
  for (const Cta *cta : run.residentCtas())
    for (const Warp *warp : cta->warps()) {
      hash.add(unsigned(warp->status), run.indexOf(*warp->pc), warp->active, warp->exited());
      if (warp->status == WarpStatus::AtBarrier)
        hash.add(warp->barrierLanes);
      if (warp->exited())
        continue;
      hash.bytes(warp->frame, size_t(warp->registers()) * rowBytes);
      hash.bytes(warp->predicates, truePredicate * sizeof(LaneMask));
      hash.bytes(&warp->codes, sizeof(warp->codes));
      const DivergenceStack &stack = warp->divergence();
      for (size_t i = 0; i < stack.depth(); ++i)
        hash.add(stack.at(i).pack());
      for (unsigned lane = 0; lane < laneCount; ++lane)
        hash.add(unsigned(stack.reasonOfLane(lane)));
      hash.add(stack.maxDepth(), warp->instructions);
    }
  return hash.value();
}

/// `isUnseen`: as launches are run, whose warps nobody looks at before the end; `isCounted`: beside one who
/// counts.
Outcome outcomeOf(const Work &work, const char *tier, u64 piece, bool isUnseen = false,
                  bool isCounted = false) {
  TierScope scope(tier);
  TestMachine machine(work.config, work.program.engine());
  LaunchSpec spec;
  spec.kernel = "test";
  spec.grid = work.grid;
  spec.block = work.block;
  spec.sharedBytes = work.sharedBytes;
  spec.localBytes = work.localBytes;
  spec.maxInstructions = work.limit;
  std::vector<u64> addresses;
  for (const std::vector<u32> &words : work.buffers) {
    addresses.push_back(machine.buffer(words.size() * 4));
    machine.setWords(addresses.back(), words);
  }
  spec.parameters.resize(addresses.size() * 8);
  if (!addresses.empty())
    std::memcpy(spec.parameters.data(), addresses.data(), spec.parameters.size());
  std::unique_ptr<Machine> run = cantFail(Machine::create(machine.device, work.program, spec));
  run->setRunsAhead(isUnseen);
  Outcome outcome;
  CountsOfRun counts;
  if (isCounted)
    run->addObserver(counts);
  for (bool isOver = false; !isOver;) {
    isOver = run->run(piece).reason != StopReason::Budget;
    outcome.states.push_back(stateOf(*run->grid()));
    outcome.counts.push_back(counts);
  }
  if (run->grid()->trap())
    outcome.end = run->grid()->trap()->str();
  outcome.instructions = run->grid()->instructions();
  outcome.stack = run->grid()->stackCounters();
  for (size_t i = 0; i < addresses.size(); ++i)
    outcome.buffers.push_back(machine.words(addresses[i], work.buffers[i].size()));
  return outcome;
}

std::string told(const StackCounters &stack) {
  return llvm::formatv(
      "{0} pushes, {1} pops, {2} of them clean, deepest {3}, {4}/{5} entries spilled, {6}/{7} restored",
      stack.pushes, stack.pops, stack.cleanPops, stack.deepest, stack.spills.count, stack.spills.entries,
      stack.restores.count, stack.restores.entries);
}

/// Wherever else they stopped.
void expectSameAtEnd(const Outcome &got, const Outcome &expected, const std::string &what) {
  EXPECT_EQ(got.end, expected.end) << what;
  EXPECT_EQ(got.instructions, expected.instructions) << what;
  EXPECT_EQ(got.stack, expected.stack) << what << ": " << told(got.stack) << ", not " << told(expected.stack);
  EXPECT_EQ(got.buffers, expected.buffers) << what;
  EXPECT_EQ(got.states.back(), expected.states.back()) << what;
}

/// Of two runs beside one who counts.
void expectSameCounts(const Outcome &got, const Outcome &expected, const std::string &what) {
  ASSERT_EQ(got.counts.size(), expected.counts.size()) << what;
  for (size_t i = 0; i < got.counts.size(); ++i)
    ASSERT_EQ(got.counts[i].differenceTo(expected.counts[i]), "") << what << ", by stop " << i;
  EXPECT_TRUE(got.states == expected.states && got.buffers == expected.buffers && got.end == expected.end)
      << what << ", counted";
}

/// The interpreter's outcome, which the other must equal.
Outcome expectSame(const Work &work, llvm::ArrayRef<u64> pieces, const std::string &what) {
  Outcome last;
  for (u64 piece : pieces) {
    Outcome expected = outcomeOf(work, "interpreter", piece),
            got = outcomeOf(work, "compiled", piece);
    EXPECT_EQ(got.end, expected.end) << what;
    EXPECT_EQ(got.instructions, expected.instructions) << what;
    EXPECT_EQ(got.stack, expected.stack)
        << what << ": " << told(got.stack) << ", not " << told(expected.stack);
    EXPECT_EQ(got.buffers, expected.buffers) << what;
    size_t differs = std::mismatch(got.states.begin(), got.states.end(), expected.states.begin(),
                                   expected.states.end())
                         .first -
                     got.states.begin();
    EXPECT_TRUE(got == expected) << what << ", pieces of " << piece << ": differs from piece " << differs << " on";
    last = std::move(expected);
  }
  const u64 piece = pieces.back();
  expectSameCounts(outcomeOf(work, "compiled", piece, false, true),
                   outcomeOf(work, "interpreter", piece, false, true), what);
  // In turns of its own length, past whose ends compiled code goes; the limit is near in the first case only.
  for (u64 limit : {work.limit, u64(1) << 40}) {
    Work whole = work;
    whole.limit = limit;
    if (limit > work.limit && !last.end.empty())
      break; // it would have no end
    whole.config.scheduler.quantum = 100;
    Outcome expected = outcomeOf(whole, "interpreter", 1777), got = outcomeOf(whole, "compiled", 1777, true);
    expectSameAtEnd(got, expected, what + ", unseen");
    if (expected.instructions % 1777 < 1777 - 100) // else its last turn may be the next piece's
      EXPECT_EQ(got.states.size(), expected.states.size()) << what << ", unseen";
    const Outcome counted = outcomeOf(whole, "interpreter", 1777, false, true),
                  unseen = outcomeOf(whole, "compiled", 1777, true, true);
    EXPECT_EQ(unseen.counts.back().differenceTo(counted.counts.back()), "") << what << ", unseen";
    EXPECT_EQ(unseen.buffers, counted.buffers) << what << ", unseen and counted";
  }
  return last;
}

/// Instructions that compute, to be spoilt.
const char *const computing = R"(
        IADD R4, R5, R6
        IADD.CC R4, R5, R6
        IADD.X R4, R5, -R6
        IADD.SAT R4, R5, 0x1234
        IADD3 R4, R5, R6, R7
        IMUL R4, R5, R6
        IMUL.HI R8, R4, 77
        IMAD R4, R5, R6, R7
        IMAD.WIDE R8, R4, R5, R6
        ISCADD R4, R5, R6, 3
        LEA R4, R5, R6, 2
        IMNMX R4, R5, R6, P1
        SHL R4, R5, R6
        SHR R4, R5, 5
        SHF.L R4, R5, R6, R7
        LOP.and R4, R5, R6
        LOP.xor R5, R4, 0xff
        LOP3 R4, R5, R6, R7, 0x96
        BFE R4, R5, R6
        BFI R4, R5, R6, R7
        BREV R4, R5
        POPC R4, R5
        FLO R4, R5
        PRMT R4, R5, R6, R7
        VADD R4, R5.b1, R6.h0
        VABSDIFF R4, R5, R6
        FADD R4, R5, R6
        FFMA.CC R4, R5, R6, R7
        FADD.FTZ R4, R5, -|R6|
        FADD.RZ R4, R5, R6
        FMUL R4, R5, 1.5
        FMUL.SAT R4, R5, R6
        FFMA R4, R5, R6, R7
        FMNMX R4, R5, R6, !P2
        MUFU.RCP R4, R5
        MUFU.SIN R4, R5
        DADD R8, R4, R6
        DMUL R8, R4, R6
        DFMA R8, R4, R6, R10
        F2I R4, R5
        I2F R4, R5
        F2F R4, R5
        I2I R4, R5
        MOV R4, R5
        MOV32I R4, 0x7fc00001
        SEL R4, R5, R6, P1
        P2R R4, R5, 0x7f
        R2P R4, 0x3f
        ISETP.lt P1, R4, R5
        ISETP.ge.or P1, P2, R4, R5, !P3
        FSETP.ltu.and P1, P2, R4, R5, P3
        DSETP.gt P1, R4, R6
        PSETP.and.or P0, P1, !P2, P3, !P4
        CSETP.lt P2, P3
        ISET R4, R5, R6
        FSET.BF R4, R5, R6
        VOTE.ANY P1, P2
        SHFL.IDX R4, R5, R6, 0x1f
        SHFL.BFLY P1, R4, R5, 4, 0x1f
)";

std::vector<u64> wordsOf(const std::string &lines) {
  std::vector<u64> words;
  size_t begin = 0;
  while (begin < lines.size()) { // line by line: what this machine does not write so is left out
    size_t end = lines.find('\n', begin);
    std::string line = lines.substr(begin, end - begin);
    begin = end + 1;
    auto program = loadProgramText(".kernel k\n" + line + "\n.endkernel\n", "line.s", {}, llvm::nulls());
    if (program)
      words.push_back(program->code()[0]);
    else
      llvm::consumeError(program.takeError());
  }
  return words;
}

/// It computes, and does not trap.
bool isComputing(u64 word) {
  Program one = predecode({word}, widest());
  const Op &op = one.ops()[0];
  if (flowOf(op.semantic) != isa::Flow::Next || op.semantic == Semantic::S2R)
    return false;
  return !service::isFaulty(op) && !factsOf(op).traps;
}

} // namespace

// A number that is written in some lanes alone is made canonical late, and what the others hold never: it may
// be the pattern of any NaN.
TEST_F(CompiledTier, ArithmeticInSomeLanesLeavesTheOthers) {
  for (const char *middle :
       {"  @P0 FADD R8, R9, R10\n", "  @P0 FADD R8, R9, R10\n  @P1 FFMA R8, R8, R9, R10\n",
        "  @P0 FADD R8, R9, R10\n  @P1 MOV R8, R9\n  @P2 FMUL R8, R10, R10\n",
        "  FMUL R8, R9, R9\n  @P1 MOV R8, R9\n  @P0 FMUL R8, R8, R8\n",
        "  @P0 FADD R8, R8, R10\n  MOV R12, R8\n  @!P0 FADD R12, R8, R8\n",
        "  MOV R9, R8\n  FADD R8, R9, R4\n  FADD R13, R10, R9\n  SEL R8, R13, R9, P0\n",
        "  @P0 FADD R12, R9, R10\n  @P1 MOV R8, R12\n  @P2 FADD R8, R8, 1.5\n"}) {
    Work work{assembled(".kernel k\n  S2R R4, SR_LANEID\n  ISETP.lt P0, R4, 7\n  ISETP.lt P1, R4, 3\n"
                        "  ISETP.lt P2, R4, 11\n  MOV32I R8, 0x7f812345\n  MOV32I R9, 0x7f812347\n"
                        "  MOV32I R10, 0xffc12345\n  MOV32I R12, 0xff812349\n  MOV R60, 9\nnext:\n" +
                        std::string(middle) +
                        "  FADD R11, R8, R12\n  IADD R60, R60, -1\n  ISETP.ne P6, R60, RZ\n  @P6 BRA next\n"
                        "  EXIT\n.endkernel\n")};
    for (unsigned threads : {32u, 20u}) {
      work.block = {threads, 1, 1};
      expectSame(work, {~u64(0), 11, 13}, middle);
    }
  }
}

TEST_F(CompiledTier, RandomLoopsOfComputation) {
  std::vector<u64> templates = wordsOf(computing);
  ASSERT_GE(templates.size(), 45u);
  std::vector<u64> head =
      wordsOf("        S2R R4, SR_LANEID\n        MOV32I R5, 0x9e3779b1\n"
              "        IMUL R5, R4, R5\n        SHL R6, R4, 27\n        I2F R7, R5\n        MOV R60, 9\n"
              "        ISETP.lt P0, R4, 7\n        ISETP.lt P1, R5, RZ\n"
              "        ISETP.lt P2, R6, RZ\n        ISETP.eq P3, R4, RZ\n");
  std::vector<u64> guards =
      wordsOf("  NOP\n  @P0 NOP\n  @!P0 NOP\n  @P1 NOP\n  @!P1 NOP\n  @P2 NOP\n  @!P3 NOP\n");
  // What another register differs by.
  std::vector<u64> to = wordsOf("  MOV R0, R0\n  MOV R1, R0\n  MOV R2, R0\n  MOV R4, R0\n  MOV R8, R0\n");
  std::vector<u64> turn = wordsOf("        IADD R60, R60, -1\n        ISETP.ne P6, R60, RZ\n");
  ASSERT_EQ(head.size(), 10u);
  ASSERT_EQ(guards.size(), 7u);
  ASSERT_EQ(to.size(), 5u);
  ASSERT_EQ(turn.size(), 2u);
  const auto engines = availableEngines();
  for (unsigned seed = 0; seed < effort(12) && !HasFailure(); ++seed) {
    std::mt19937_64 random(seed);
    auto guarded = [&](u64 word) { return word ^ guards[0] ^ guards[random() % guards.size()]; };
    std::vector<u64> code = head;
    for (unsigned reg = 8; reg < 16; ++reg) {
      // Zeros, infinities, NaNs of both kinds, the smallest and the largest numbers.
      static constexpr u32 special[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fffffff,
                                        0xffc12345, 0x7f812345, 0xffa00000, 0x7fc00001, 0xff800001,
                                        0xffffffff, 1,          0x807fffff, 0x7f7fffff, 0x3f800000};
      u32 word = random() % 2 ? u32(random()) : special[random() % std::size(special)];
      std::string move = "  MOV32I R" + std::to_string(reg) + ", ";
      code.push_back(wordsOf(move + std::to_string(word) + "\n")[0]);
      code.push_back(
          guarded(wordsOf(move + std::to_string(special[random() % std::size(special)]) + "\n")[0]));
    }
    size_t body = code.size();
    while (code.size() < body + 24) {
      u64 word = templates[random() % templates.size()];
      for (unsigned flips = unsigned(random() % 4); flips > 0; --flips)
        word ^= u64(1) << random() % 64;
      if (random() % 2)
        word = guarded(word);
      for (size_t bit = 1; bit < to.size(); ++bit)
        word ^= random() % 2 ? to[bit] ^ to[0] : 0;
      if (isComputing(word))
        code.push_back(word);
    }
    code.insert(code.end(), turn.begin(), turn.end());
    std::string lines = ".kernel k\nnext:\n";
    for (size_t i = body; i < code.size(); ++i)
      lines += "  NOP\n";
    Executable back = cantFail(loadProgramText(lines + "  @P6 BRA next\n  EXIT\n.endkernel\n", "back.s", {}, llvm::nulls()));
    code.push_back(back.code()[code.size() - body]);
    code.push_back(back.code()[back.code().size() - 1]);
    Work work{predecode(code, *engines[seed % engines.size()])};
    work.limit = 3000;
    work.block = {unsigned(1 + random() % 40), 1, 1};
    expectSame(work, {~u64(0), 53}, "seed " + std::to_string(seed));
  }
}

static Work workOf(const StructuredProgram &source, const Engine &engine = widest()) {
  Work work{assembled(source.assembly(), engine)};
  work.block = {source.threads, 1, 1};
  work.buffers = {source.table(), std::vector<u32>(size_t(source.threads) * laneWords)};
  work.limit = 200'000;
  return work;
}

TEST_F(CompiledTier, RandomStructuredPrograms) {
  u64 pushes = 0;
  for (u32 seed = 1; seed <= effort(2) && !HasFailure(); ++seed) {
    const PartScope parts(seed % 2 ? 200 : 30);
    Work work = workOf(StructuredProgram::random(seed));
    pushes += expectSame(work, {~u64(0), 997}, "seed " + std::to_string(seed)).stack.pushes;
  }
  EXPECT_GT(pushes, 50u);
}

/// Its grid on so many host threads, beside one who counts or nobody.
static std::pair<std::vector<u32>, CountsOfRun> outcomeOnThreads(const Work &work, unsigned threads,
                                                                 bool isCounted) {
  TierScope scope("compiled");
  TestMachine machine(work.config, work.program.engine());
  LaunchSpec spec;
  spec.kernel = "test";
  spec.grid = work.grid;
  spec.block = work.block;
  const u64 addresses[] = {machine.buffer(work.buffers[0].size() * 4),
                           machine.buffer(work.buffers[1].size() * 4)};
  machine.setWords(addresses[0], work.buffers[0]);
  spec.parameters.resize(sizeof(addresses));
  std::memcpy(spec.parameters.data(), addresses, sizeof(addresses));
  auto run = cantFail(ParallelRun::create(machine.device, work.program, spec, threads));
  CountsOfRun counts;
  if (isCounted)
    run->addObserver(counts);
  EXPECT_EQ(run->run(), StopReason::Finished);
  counts.ends = std::min<u64>(counts.ends, 1); // each part tells its own
  return {machine.words(addresses[1], work.buffers[1].size()), counts};
}

// Small ones, of which the long mode tries very many: each of one vector width, half of them beside one who
// counts, in CTAs of any size; of a quarter there are so many that code is made anew for what was seen. What
// they leave behind is told by plain recursion over one lane, all else by the interpreter.
TEST_F(CompiledTier, SmallStructuredPrograms) {
  const auto engines = availableEngines();
  for (u32 seed = 1; seed <= effort(12) && !HasFailure(); ++seed) {
    if (!isOurs(seed))
      continue;
    const StructuredProgram source = StructuredProgram::random(seed, seed % 16 ? 1 : 2);
    const Engine &engine = *engines[seed % engines.size()];
    const bool isCounted = seed / engines.size() % 2, areMany = seed / 8 % 4 == 0;
    const unsigned ctas = areMany ? 80 : 6, threads = seed % 8 ? source.threads : 1 + seed / 8 * 37 % 160;
    const u64 piece = areMany ? 89 * 64 : 89;
    const std::string what = "seed " + std::to_string(seed) + ", " + engine.name;
    const u32 lanes = threads * ctas;
    const PartScope parts(seed / 4 % 3 ? 200 : 4 + seed % 50);
    Work work{assembled(source.assembly(/*isOfGrid=*/true), engine)};
    work.grid = {ctas, 1, 1};
    work.block = {threads, 1, 1};
    work.buffers = {source.table(), std::vector<u32>(size_t(lanes) * laneWords)};
    work.config.sm.count = 5;
    work.limit = 10'000'000;
    const Outcome expected = outcomeOf(work, "interpreter", piece, false, isCounted),
                  got = outcomeOf(work, "compiled", piece, false, isCounted);
    ASSERT_TRUE(got == expected) << what << ", pieces of " << piece;
    for (u32 thread = 0; thread < lanes; ++thread) {
      const LaneResult alone = runAlone(source, thread);
      ASSERT_TRUE(std::equal(alone.begin(), alone.end(), got.buffers[1].begin() + thread * laneWords))
          << what << ", lane " << thread;
    }
    for (unsigned hosts : {1, 2, 5}) {
      const auto [words, counts] = outcomeOnThreads(work, hosts, isCounted);
      ASSERT_TRUE(words == expected.buffers[1]) << what << ", " << hosts << " host threads";
      if (isCounted)
        ASSERT_EQ(counts.differenceTo(expected.counts.back()), "")
            << what << ", " << hosts << " host threads";
    }
  }
}

// A launch changes over when code is there, and goes back where that is slower: nobody can tell.
TEST_F(CompiledTier, AutoChangesOver) {
  u64 before = compiled::HotKernel::hotFrom.exchange(0);
  for (u32 seed = 1; seed <= effort(2) && !HasFailure(); ++seed) {
    Work work = workOf(StructuredProgram::random(seed));
    std::shared_ptr<compiled::HotKernel> kernel = compiled::HotKernel::of(work.program, 0);
    bool isMade = false;
    const auto ends = std::chrono::steady_clock::now() + std::chrono::seconds(240); // of a busy host
    for (unsigned turn = 0; turn < 3 || (!isMade && std::chrono::steady_clock::now() < ends); ++turn) {
      Outcome expected = outcomeOf(work, "interpreter", ~u64(0)), got = outcomeOf(work, "auto", ~u64(0), turn % 2);
      ASSERT_EQ(got.end, expected.end) << "seed " << seed << ", launch " << turn;
      ASSERT_EQ(got.instructions, expected.instructions) << "seed " << seed << ", launch " << turn;
      ASSERT_EQ(got.buffers, expected.buffers) << "seed " << seed << ", launch " << turn;
      ASSERT_EQ(got.stack, expected.stack) << "seed " << seed << ", launch " << turn;
      const bool isWide = work.block.x % 32 == 0;
      if (!isMade && kernel->get(work.program, 0, compiled::Warps::Full, {isWide, {}, {}}))
        isMade = true, turn = 0; // and some launches with it
      else if (!isMade)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    EXPECT_TRUE(isMade) << "seed " << seed;
  }
  compiled::HotKernel::hotFrom = before;
}

// Which tier is faster turns out in launches of a few turns as well, together.
TEST_F(CompiledTier, AutoMeasuresSmallLaunches) {
  const u64 before = compiled::HotKernel::hotFrom.exchange(0);
  Work work{assembled(
      ".kernel k\nMOV R2, 9\nnext: IADD R2, R2, -1\nISETP.ne P0, R2, RZ\n@P0 BRA next\nEXIT\n.endkernel")};
  work.grid = {12, 1, 1};
  work.block = {32, 1, 1};
  const std::shared_ptr<compiled::HotKernel> kernel = compiled::HotKernel::of(work.program, 0);
  const Outcome expected = outcomeOf(work, "interpreter", ~u64(0));
  auto ends = std::chrono::steady_clock::now() + std::chrono::seconds(120); // those are not needed
  while (kernel->choice(0).isMeasured && std::chrono::steady_clock::now() < ends) {
    ASSERT_TRUE(outcomeOf(work, "auto", ~u64(0)) == expected);
    std::this_thread::sleep_for(std::chrono::milliseconds(1)); // code is made with what is left of the host
  }
  EXPECT_FALSE(kernel->choice(0).isMeasured);
  compiled::HotKernel::hotFrom = before;
}

// What is loaded from the disk is looked at first: a part of an image, or one with a wrong number in it, is
// no code.
TEST_F(CompiledTier, ImagesThatAreCutAreNoCode) {
  const Program program =
      assembled(".kernel k\nMOV R2, 9\nIADD R2, R2, -1\nMUFU.sin R3, R2\nEXIT\n.endkernel");
  const compiled::RegionPlan plan(program, 0, compiled::Warps::Full, {});
  const compiled::Region region{plan.warps,
                                program.engine().name,
                                plan.operations.data(),
                                u32(plan.operations.size()),
                                plan.pool.data(),
                                u32(plan.pool.size()),
                                plan.stacks.data(),
                                u32(plan.stacks.size()),
                                plan.entry,
                                false,
                                true,
                                false};
  std::string image;
  auto take = [](void *to, const char *bytes, size_t size) {
    static_cast<std::string *>(to)->assign(bytes, size);
  };
  char message[1024];
  ASSERT_TRUE((*compiled::compilerLibrary())->image(region, take, &image, message, sizeof(message)))
      << message;
  auto isCode = [](llvm::StringRef bytes) {
    auto code = compiled::LinkedCode::load(bytes);
    const bool isLoaded = bool(code);
    llvm::consumeError(code.takeError());
    return isLoaded;
  };
  EXPECT_TRUE(isCode(image));
  EXPECT_FALSE(isCode(image + "x"));
  for (size_t size = 0; size < image.size(); size += size < 256 ? 1 : 509)
    EXPECT_FALSE(isCode({image.data(), size})) << size << " of " << image.size() << " bytes";
  for (size_t word = 0; word < sizeof(compiled::CodeImage) / 4; ++word) {
    std::string wrong = image;
    wrong.replace(4 * word, 4, 4, '\xff');
    EXPECT_FALSE(isCode(wrong)) << "word " << word;
  }
}

TEST_F(CompiledTier, StacksOfEveryLimit) {
  for (u32 seed = 101; seed <= 100 + effort(2) && !HasFailure(); ++seed) {
    Work work = workOf(StructuredProgram::random(seed));
    work.limit = 50'000;
    for (u64 depth : {3, 9, 12, 20}) {
      work.config.warp.stackDepth = depth;
      expectSame(work, {~u64(0)}, "seed " + std::to_string(seed) + ", depth " + std::to_string(depth));
    }
  }
}

// Of warps that run from their start to their end at once, and from barrier to barrier.
TEST_F(CompiledTier, StacksOfEveryLimitAtOnce) {
  for (const char *barriers : {"", "BAR.SYNC 0\n"})
    for (u64 depth = 1; depth <= 9; ++depth) {
      std::string text = ".kernel k\n";
      for (char place : {'x', 'y', 'z'})
        text += std::string(barriers) + "SSY l" + place + "\n";
      for (char place : {'z', 'y', 'x'})
        text += std::string("IADD R1, R1, 1\nNOP.S\nl") + place + ": IADD R1, R1, 1\n" + barriers;
      Work work{assembled(text + "EXIT\n.endkernel")};
      work.grid = {40, 1, 1};
      work.block = {64, 1, 1};
      work.config.warp.stackDepth = depth;
      Outcome outcome = expectSame(work, {~u64(0)}, barriers + std::to_string(depth));
      EXPECT_EQ(outcome.end.empty(), depth >= 3) << barriers << depth << ": " << outcome.end;
    }
}

// Phases in which lanes part again and again, and leave compiled code when they have: a rounding is not its
// own.
TEST_F(CompiledTier, PhasesThatPart) {
  for (const Engine *engine : availableEngines())
    for (const char *between :
         {"FADD.rz R4, R4, R5", "STS [R7], R3", "LDG R3, [R8.64]", "@!P1 EXIT",
          "LDL.u8 R11, [12]\nLDL R14, [0]\nIADD3 R3, R3, R11, R14\nSTL.u8 [12], R3\nSTL [0], R3",
          "LDL R14, [4]\nIADD R3, R3, R14\nSTL [4], R3\nISETP.eq P2, R1, 20\n@P2 S2R R11, SR_CLOCKLO",
          "LOP.and R11, R2, 1\nIMUL R11, R11, 100\nIADD R11, R0, -R11\nISETP.ge P3, R11, 128\n@P3 EXIT",
          "PBK behind\nMOV R11, R0\nlonger:\nIADD R11, R11, 3\nISETP.gt P2, R11, "
          "700\n@P2 BRK\nBRA longer\nbehind:\nIADD R3, R3, R11"}) {
      Work work{assembled(R"(
        .kernel k
        .param ptr out
        .shared words, 1024
        S2R     R0, SR_TID.X
        S2R     R2, SR_CTAID.X
        IMUL    R6, R2, 256
        IADD    R6, R6, R0
        SHL     R6, R6, 2
        IADD.CC R8, R6, c[0][out]
        IADD.X  R9, RZ, c[0][out+4]
        SHL     R7, R0, 2
        MOV     R3, R0
        MOV32I  R4, 0x3f800000
        MOV32I  R5, 0x3dcccccd
        MOV     R1, 40
next:
        LOP.and R10, R0, 31
        ISETP.lt P0, R10, R1
        ISETP.ne P1, R0, 77
        SSY     join
  @P0   BRA     low
        IADD    R3, R3, 5
        NOP.S
low:
        IMUL    R3, R3, 3
        )" + std::string(between) +
                              R"(
        IADD    R3, R3, R1
        NOP.S
join:
        BAR.SYNC 0
        IADD    R1, R1, -1
        ISETP.ne P0, R1, RZ
  @P0   BRA     next
        IADD    R3, R3, R4
        STG     [R8.64], R3
        EXIT
        .endkernel)",
                          *engine)};
      work.grid = {30, 1, 1};
      work.block = {256, 1, 1};
      work.sharedBytes = 1024;
      work.localBytes = 13;
      work.buffers = {std::vector<u32>(30 * 256)};
      const ResidentScope resident(0); // what has settled goes on in phases when the next CTA has ended
      // With less, it ends in the midst; turns of 41 end in loops, between branches and their joins.
      for (const auto &[piece, limit, turn, threads, isCounted] :
           {std::tuple(~u64(0), work.limit, 1000, 256, false),
            {u64(1777), work.limit, 1000, 250, true},
            {~u64(0), u64(20'011), 1000, 256, false},
            {~u64(0), u64(33'331), 41, 256, true},
            {~u64(0), work.limit, 41, 256, false},
            {u64(1777), work.limit, 41, 131, false},
            {~u64(0), u64(60'011), 41, 131, false},
            {~u64(0), work.limit, 11, 131, false},
            {~u64(0), work.limit, 977, 33, true}}) {
        work.limit = limit;
        work.config.scheduler.quantum = unsigned(turn);
        work.config.sm.count = threads == 131 ? 1 : 4;
        work.block.x = unsigned(threads);
        const Outcome expected = outcomeOf(work, "interpreter", piece, false, isCounted),
                      got = outcomeOf(work, "compiled", piece, true, isCounted);
        const std::string what = engine->name + (", " + std::string(between)) + ", turns of " +
                                 std::to_string(turn) + ", " + std::to_string(threads) + " threads";
        expectSameAtEnd(got, expected, what);
        EXPECT_EQ(got.counts.back().differenceTo(expected.counts.back()), "") << what;
      }
    }
}

// Phases that nobody but their CTA can tell the time of, in turns that end anywhere.
TEST_F(CompiledTier, PhasesOfTheCtasOwn) {
  for (const Engine *engine : availableEngines()) {
    // Theirs from the kernel's start, or behind a turn that others can tell of.
    const char *first = engine == &widest() ? "LDG R10, [R8.64]" : "NOP";
    for (const char *between :
         {"NOP",
          "S2R R11, SR_TID.X\nS2R R12, SR_TID.Y\nIMAD R3, R11, R12, R3", // what differs from warp to warp
          "S2R R11, SR_WARPID\nIADD R3, R3, R11",
          "LOP.and R11, R2, 3\nISETP.eq P2, R11, RZ\n@P2 BRA other",      // each fourth warp waits elsewhere
          "LOP.and R11, R1, 1\nISETP.eq P2, R11, RZ\n@P2 BRA other",      // all do in turn
          "ISETP.lt P2, R0, R1\n@P2 IADD R7, R7, 4\n@P2 IADD R7, R7, -4", // no longer known by one word
          "MOV R11, R2\nlonger:\nIADD R3, R3, R11\nIADD R11, R11, 1\nISETP.lt P2, R11, 9\n@P2 BRA longer"}) {
      Work work{assembled(R"(
        .kernel k
        .param ptr out
        .shared words, 2048
        S2R     R0, SR_TID.X
        S2R     R6, SR_TID.Y
        IMAD    R0, R6, 64, R0
        SHR     R2, R0, 5
        S2R     R6, SR_CTAID.X
        IMAD    R6, R6, 256, R0
        SHL     R6, R6, 2
        IADD.CC R8, R6, c[0][out]
        IADD.X  R9, RZ, c[0][out+4]
        SHL     R7, R0, 2
        IMAD    R3, R0, 7, R13 # zero, as registers begin
        )" + std::string(first) +
                              R"(
        MOV     R1, 20
        STS     [R7], R3
next:
        BAR.SYNC 0
        ISETP.lt.u32 P0, R0, 100
        LDS     R4, [R7]
  @P0   LDS     R5, [R7+512]
  @P0   IADD    R3, R4, R5
        )" + std::string(between) +
                              R"(
        BAR.SYNC 0
        BRA     goOn
other:
        IADD    R3, R3, 5
        BAR.SYNC 0
goOn:
        STS     [R7], R3
        IADD    R1, R1, -1
        ISETP.ne P1, R1, RZ
  @P1   BRA     next
        MOV     R13, R3
        STG     [R8.64], R3
        EXIT
        .endkernel)",
                          *engine)};
      const PartScope parts(engine == availableEngines().front() ? 5 : 200); // phases that go on in others
      work.grid = {40, 1, 1};
      work.block = {64, 4, 1};
      work.sharedBytes = 2048;
      work.buffers = {std::vector<u32>(40 * 256)};
      std::vector<std::tuple<unsigned, unsigned, u64>> cases{
          {1000, 4, ~u64(0)}, {61, 4, ~u64(0)}, {37, 2, ~u64(0)}, {23, 4, 70'011},
          {19, 1, ~u64(0)},   {11, 3, ~u64(0)}, {7, 4, ~u64(0)}};
      // What goes on in phases becomes resident 32 turns before it: sometimes a CTA has just begun.
      for (u64 limit = 65'011; limit < 69'000; limit += 137)
        cases.push_back({1000, 1, limit});
      for (const auto &[turn, sms, limit] : cases) {
        work.config.scheduler.quantum = turn;
        work.config.sm.count = sms;
        work.limit = limit;
        const Outcome expected = outcomeOf(work, "interpreter", ~u64(0)),
                      got = outcomeOf(work, "compiled", ~u64(0), true);
        const std::string what = engine->name + (", " + std::string(between)) + ", turns of " +
                                 std::to_string(turn) + ", " + std::to_string(sms) + " SMs";
        expectSameAtEnd(got, expected, what);
      }
    }
  }
}

// Each warp begins with zeros, also where the one before it went from part to part.
TEST_F(CompiledTier, WarpsBeginAsZerosBehindOthersOfParts) {
  for (const Engine *engine : availableEngines())
    for (u32 part : {3, 5, 200}) {
      Work work{assembled(R"(
        .kernel k
        .param ptr out
        S2R     R0, SR_TID.X
        S2R     R2, SR_CTAID.X
        IMAD    R0, R2, 64, R0
        SHL     R0, R0, 2
        IADD.CC R8, R0, c[0][out]
        IADD.X  R9, RZ, c[0][out+4]
next:
        IADD    R5, R5, 1
        ISETP.lt P1, R5, 3
  @P1   BRA     next
  @P2   IADD    R6, R6, 70
        IADD.X  R6, R6, R5
        ISETP.eq P2, RZ, RZ
        IADD.CC R7, R5, -1
        STG     [R8.64], R6
        EXIT
        .endkernel)",
                          *engine)};
      const PartScope parts(part);
      work.grid = {50, 1, 1};
      work.block = {64, 1, 1};
      work.limit = u64(1) << 40;
      work.buffers = {std::vector<u32>(50 * 64)};
      const Outcome got = outcomeOf(work, "compiled", ~u64(0), true);
      EXPECT_EQ(got.buffers[0], std::vector<u32>(50 * 64, 3)) << engine->name << ", parts of " << part;
    }
}

// Each warp begins with zeros, also where code relies on what it writes first, and is left before it has.
TEST_F(CompiledTier, PhasesBeginAsZeros) {
  for (const Engine *engine : availableEngines())
    for (const char *between :
         {"NOP", "FADD.rz R10, R10, R10", "@P2 BRA there\nthere:", "S2R R10, SR_CLOCKLO", "@!P3 MOV R10, RZ"})
      for (unsigned place = 0; place < 4; ++place) {
        auto at = [&](unsigned which) { return which == place ? between : "NOP"; };
        Work work{assembled(llvm::formatv(R"(
        .kernel k
        .param ptr out
        {0}
        S2R     R0, SR_TID.X
        S2R     R2, SR_CTAID.X
        IMAD    R0, R2, 128, R0
        SHL     R0, R0, 2
        IADD    R5, R5, 1
        {1}
        MOV     R6, R5
        IADD.CC R8, R0, c[0][out]
  @P2   MOV     R7, 90
        {2}
        IADD.X  R9, RZ, c[0][out+4]
        IADD    R7, R7, R6
        {3}
        BAR.SYNC 0
        IMAD    R7, R7, 4, R12
        IMAD    R7, R6, 2, R7
        IADD    R7, R7, R5
        STG     [R8.64], R7
        MOV     R5, 70
        MOV     R6, 71
        MOV     R12, 72
        MOV     R14, 73
        BAR.SYNC 0
        EXIT
        .endkernel)",
                                          at(0), at(1), at(2), at(3))
                                .str(),
                            *engine)};
        work.grid = {60, 1, 1};
        work.block = {128, 1, 1};
        work.limit = u64(1) << 40;
        work.buffers = {std::vector<u32>(60 * 128)};
        for (unsigned turn : {1000, 9, 4}) {
          work.config.scheduler.quantum = turn;
          const Outcome got = outcomeOf(work, "compiled", ~u64(0), true);
          EXPECT_EQ(got.buffers[0], std::vector<u32>(60 * 128, 7))
              << engine->name << ", " << between << " at " << place << ", turns of " << turn;
        }
      }
}

// Words of 2^32 bytes and more are near to each other where their lower and upper halves begin anew or change
// between lanes; where they leave memory lanes trap.
TEST_F(CompiledTier, AddressesWhoseWordsBeginAnew) {
  const char *const ways[] = {
      "LEA.CC R4, R0, R14, 2\nLEA.HI.X R5, R0, R15, RZ, 2", "IMAD.WIDE.u32 R4, R0, 4, R14",
      "SHL R4, R0, 2\nSHR.u32 R5, R0, 30\nIADD.CC R4, R4, R14\nIADD.X R5, R5, R15",
      "SHL R4, R0, 2\nSHR.u32 R5, R0, 30\nIADD.CC R4, R14, R4\nIADD.X R5, R15, R5",
      "LEA.CC R4, R0, R14, 2\nLEA.HI.X R5, R0, R15, RZ, 2\nIADD.CC R4, R4, 4\nIADD.X R5, R5, RZ\n"
      "IADD.CC R4, R4, -4\nIADD.X R5, R5, -1"};
  unsigned ends = 0, traps = 0;
  for (const Engine *engine : availableEngines())
    for (const char *way : ways)
      for (bool descends : {false, true}) {
        Work work{assembled(llvm::formatv(R"(
        .kernel k
        .param ptr words
        .param ptr starts
        S2R     R0, SR_TID.X
        MOV     R12, c[0][starts]
        MOV     R13, c[0][starts+4]
        LDG     R1, [R12.64]
        LDG     R2, [R12.64+4]
        LDG     R3, [R12.64+8]
        IADD.CC R14, R2, c[0][words]
        IADD.X  R15, R3, c[0][words+4]
        {0}
        {1}
        LDG     R6, [R4.64]
        IMAD    R6, R6, 3, R0
        STG     [R4.64], R6
        EXIT
        .endkernel)",
                                          descends ? "IADD R0, R1, -R0" : "IADD R0, R1, R0", way)
                                .str(),
                            *engine)};
        work.grid = {5, 1, 1};
        work.block = {32, 1, 1};
        for (u32 begin : {0x3fffffe0u, 0x3fffffe1u, 0x3ffffff3u, 0x7ffffff9u, 0x80000000u, 0xbfffffe2u,
                          0xfffffff0u, 0xffffffe0u, 0x40000000u, 77u, 0x3fffffffu}) {
          const u32 first = descends ? begin + 31 : begin;
          const u64 offset = 0 - u64(begin) * 4; // of the lowest index
          work.buffers = {std::vector<u32>(32, 5), {first, u32(offset), u32(offset >> 32)}};
          const Outcome outcome = expectSame(
              work, {~u64(0)}, engine->name + (", " + std::string(way)) + ", from " + std::to_string(first));
          (outcome.end.empty() ? ends : traps)++;
        }
      }
  EXPECT_GT(ends, 20u);
  EXPECT_GT(traps, 5u);
}

// What is pushed and popped is the machine's then; all else is compiled.
TEST_F(CompiledTier, StacksOfEveryModel) {
  StackCounters all;
  for (u32 seed = 151; seed <= 150 + effort(3) && !HasFailure(); ++seed) {
    Work work = workOf(StructuredProgram::random(seed));
    work.limit = 50'000;
    for (auto model : {MachineConfig::Stack::Cache, MachineConfig::Stack::Memory}) {
      work.config.stack.model = model;
      work.config.stack.entries = 4;
      work.config.stack.setEntries = work.config.stack.moveEntries = 1;
      work.config.stack.restored = seed % 2;
      all += expectSame(work, {~u64(0), 997},
                        "seed " + std::to_string(seed) + ", model " + std::to_string(model))
                 .stack;
    }
  }
  EXPECT_GT(all.spills.entries, 50u);
  EXPECT_GT(all.restores.entries, 50u);
}

TEST_F(CompiledTier, MemoryOfEveryKind) {
  // Rows, single words, gathers, three buffers by turns, shared and local memory, and a trap of some lanes.
  const char *text = R"(
        .kernel k
        .param ptr a
        .param ptr b
        .param ptr c
        S2R R0, SR_TID.X
        SHL R1, R0, 2
        MOV R20, 6
next:
        IADD.CC R2, R1, c[0][a]
        IADD.X R3, RZ, c[0][a+4]
        LDG R8, [R2.64]
        LOP.and R9, R8, 0x7c
        IADD.CC R4, R9, c[0][b]
        IADD.X R5, RZ, c[0][b+4]
        LDG R10, [R4.64]
        LDG.u8 R11, [R4.64+1]
        STS [R1], R10
        LDS R12, [R9]
        LDS R13, [RZ+8]
        STL [R9], R12
        LDL R14, [RZ+4]
        LDL R15, [R9]
        IADD3 R8, R8, R10, R11
        IADD3 R8, R8, R12, R13
        IADD3 R8, R8, R14, R15
        IADD.CC R6, R1, c[0][c]
        IADD.X R7, RZ, c[0][c+4]
        STG [R6.64], R8
        STG [R2.64], R10
        ISETP.gt P1, R8, RZ
        @P1 STG [R4.64], R8
        @!P1 LDG.64 R16, [R6.64+0]
        LOP.and R18, R9, 0x1c
        LDC R18, c[0][R18]
        IADD R8, R8, R18
        STG.u16 [R6.64+2], R8
        RED.add [R6.64], R20
        IADD R20, R20, -1
        ISETP.ne P0, R20, RZ
        @P0 BRA next
        IMUL R9, R9, R9
        IMUL R9, R9, 16
        IADD.CC R4, R9, c[0][b]
        IADD.X R5, RZ, c[0][b+4]
        LDG R10, [R4.64]
        EXIT
        .endkernel
)";
  std::mt19937 random(3);
  for (unsigned threads : {32, 7, 64, 90}) {
    Work work{assembled(text)};
    work.grid = {2, 1, 1};
    work.block = {threads, 1, 1};
    work.sharedBytes = 512;
    work.localBytes = 128;
    for (int k = 0; k < 3; ++k) {
      std::vector<u32> words(128);
      for (u32 &word : words)
        word = random() & 0xfc;
      work.buffers.push_back(words);
    }
    Outcome outcome = expectSame(work, {~u64(0), 41, 7}, std::to_string(threads) + " threads");
    EXPECT_GT(outcome.instructions, 150u) << outcome.end;
  }
}

// Arrays of each lane's own, of every size; in the end a lane is beyond, or misaligned.
TEST_F(CompiledTier, LocalMemoryOfLanesInAnyOrder) {
  unsigned traps = 0;
  for (u32 seed = 1; seed <= effort(12) && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    std::string text = R"(
        .kernel k
        .param ptr words
        S2R R0, SR_TID.X
        SHL R1, R0, 2
        IADD.CC R2, R1, c[0][words]
        IADD.X R3, RZ, c[0][words+4]
        LDG R8, [R2.64]
        MOV R20, 9
next:
        IMAD R8, R8, 5, R20
        ISETP.gt P1, R8, RZ
)";
    for (unsigned left = 6; left; --left) {
      const auto [size, mask] =
          std::array<std::pair<const char *, unsigned>, 7>{{{"", 0x7c},
                                                            {".u8", 0x7f},
                                                            {".s8", 0x7f},
                                                            {".u16", 0x7e},
                                                            {".s16", 0x7e},
                                                            {".64", 0x78},
                                                            {".128", 0x70}}}[random() % 7];
      const char *guard = random() % 2 ? "@P1 " : "";
      text += llvm::formatv("        SHR.u32 R9, R8, {0}\n        LOP.and R9, R9, {1}\n", random() % 20, mask)
                  .str();
      text +=
          llvm::formatv(random() % 2 ? "        {0}STL{1} [R9+16], R12\n" : "        {0}LDL{1} R12, [R9]\n",
                        guard, size)
              .str();
      text += "        IMAD R12, R12, 3, R8\n";
    }
    text += llvm::formatv(R"(
        IADD R20, R20, -1
        ISETP.ne P0, R20, RZ
  @P0   BRA next
        IADD3 R12, R12, R13, R14
        STG [R2.64], R12
        LOP.and R9, R8, {0}
        LDL R12, [R9]
        EXIT
        .endkernel
)",
                          seed % 3 == 0   ? 0xff
                          : seed % 3 == 1 ? 0x7d
                                          : 0x7c)
                .str();
    Work work{assembled(text.c_str(), *availableEngines()[seed % availableEngines().size()])};
    work.grid = {3, 1, 1};
    work.block = {seed % 4 ? 64u : 45u, 1, 1};
    work.localBytes = 144;
    std::vector<u32> words(64);
    for (u32 &word : words)
      word = random();
    work.buffers.push_back(words);
    traps += !expectSame(work, {~u64(0), 61}, "seed " + std::to_string(seed)).end.empty();
  }
  EXPECT_GT(traps, 2u);
}

// Of CTAs that follow each other at one place, to the last byte of its last row.
TEST_F(CompiledTier, LocalMemoryBeginsAsZeros) {
  Work work{assembled(R"(
        .kernel k
        .param ptr out
        S2R R0, SR_TID.X
        S2R R1, SR_CTAID.X
        ISCADD R0, R1, R0, 5
        SHL R0, R0, 2
        IADD.CC R2, R0, c[0][out]
        IADD.X R3, RZ, c[0][out+4]
        LDL.u8 R4, [12]
        STG [R2.64], R4
        MOV R5, 7
        STL.u8 [12], R5
        EXIT
        .endkernel
)")};
  work.grid = {6, 1, 1};
  work.localBytes = 13;
  work.config.sm.count = work.config.sm.ctas = 1;
  work.buffers = {std::vector<u32>(6 * 32, 1)};
  for (const char *tier : {"interpreter", "compiled"})
    EXPECT_EQ(outcomeOf(work, tier, ~u64(0)).buffers[0], std::vector<u32>(6 * 32)) << tier;
}

// Words of lanes that are near to each other, in any order: reversed, crossed over, every second one, blocks
// of them; at the ends of memory, beyond, and misaligned.
TEST_F(CompiledTier, RandomLoadsOfLanesThatAreNear) {
  unsigned near = 0;
  for (u32 seed = 1; seed <= effort(30) && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    auto below = [&](unsigned n) { return int(random() % n); };
    std::string text = R"(
        .kernel k
        .param ptr a
        .param ptr out
        S2R R0, SR_TID.X
        LOP.and R1, R0, 31
)";
    for (int left = 1 + below(3); left; --left)
      switch (below(4)) {
      case 0:
        text += llvm::formatv("  LOP.xor R1, R1, {0}\n", below(64)).str();
        break;
      case 1:
        text += llvm::formatv("  LOP.and R2, R1, {0}\n  ISCADD R1, R1, -R2, 1\n", (1 << below(6)) - 1).str();
        break;
      case 2:
        text += llvm::formatv("  IADD R1, -R1, {0}\n", below(64)).str();
        break;
      default:
        text += llvm::formatv("  IMUL R1, R1, {0}\n", 1 + below(4)).str();
      }
    const int turns = 80 + below(100), step = 4 * below(3), offset = 4 * below(16) - 16 + (below(10) ? 0 : 2);
    text += llvm::formatv(R"(
        LOP.and R1, R1, 63
        SHL R1, R1, 2
        IADD.CC R2, R1, c[0][a]
        IADD.X R3, RZ, c[0][a+4]
        LOP.and R4, R0, {0}
        ISETP.eq P1, R4, RZ
        MOV R20, {1}
next:
        {2} LDG R8, [R2.64+{3}]
        {4} LDG R9, [R2.64+{5}]
        STS [R1], R8
        {6} LDS R10, [R1+{7}]
        IADD3 R8, R8, R9, R10
        IADD R11, R11, R8
        IADD.CC R2, R2, {8}
        IADD.X R3, R3, RZ
        IADD R20, R20, -1
        ISETP.ne P0, R20, RZ
        @P0 BRA next
        SHL R0, R0, 2
        IADD.CC R6, R0, c[0][out]
        IADD.X R7, RZ, c[0][out+4]
        STG [R6.64], R11
        EXIT
        .endkernel
)",
                          below(4) ? 0 : 1 << below(5), turns, below(4) ? "" : "@P1", 4 * below(8),
                          below(4) ? "" : "@!P1", below(20) ? 4 * below(16) : offset, below(4) ? "" : "@P1",
                          below(20) ? 4 * below(8) : offset, step)
                .str();
    Work work{assembled(text)};
    work.block = {random() % 4 ? 64u : 40u, 1, 1};
    work.sharedBytes = u32(256 + 32 * below(2));
    work.buffers = {std::vector<u32>(size_t(below(2) ? 1024 : 64 + below(unsigned(turns * step) / 4 + 32))),
                    std::vector<u32>(64)};
    for (u32 &word : work.buffers[0])
      word = u32(random());
    expectSame(work, {~u64(0), 41}, "seed " + std::to_string(seed) + ":\n" + text);
    for (compiled::Warps warps : {compiled::Warps::Any, compiled::Warps::Full}) {
      compiled::RegionPlan::Guess guess;
      guess.hasWideRows = work.block.x % 32 == 0;
      auto kernel = cantFail(compiled::CompiledKernel::get(work.program, 0, warps, guess));
      near += kernel->later() && !kernel->later()->guess().near.empty();
    }
  }
  EXPECT_GT(near, effort(10));
}

/// Loads and stores of a few bases that differ by their offsets, so that one is judged for others; between
/// them what changes bases, and arithmetic, whose results leave code as numbers. Now and then one is out of
/// reach.
static std::string accessesOfFewBases(u32 seed) {
  std::mt19937 random(seed);
  auto below = [&](unsigned n) { return unsigned(random() % n); };
  auto data = [&](unsigned multiple) { return "R" + std::to_string(8 + below(12 / multiple) * multiple); };
  std::string text = R"(
        .kernel k
        .param ptr a
        .param ptr b
        S2R R0, SR_TID.X
        SHL R1, R0, 2
        IADD.CC R2, R1, c[0][a]
        IADD.X R3, RZ, c[0][a+4]
        MOV R4, c[0][b]
        MOV R5, c[0][b+4]
        MOV R6, 32
        SHL R7, R0, 3
        LOP.and R8, R0, 1
        ISETP.ne P1, R8, RZ
        MOV R30, 4
next:
)";
  struct Base {
    const char *load, *store, *address;
    unsigned sizes; ///< of which its lanes' places are multiples
  };
  static constexpr Base bases[] = {{"LDG", "STG", "R2.64", 3}, {"LDG", "STG", "R4.64", 5},
                                   {"LDS", "STS", "R1", 3},    {"LDS", "STS", "R6", 5},
                                   {"LDS", "STS", "R7", 4},    {"LDL", "STL", "R6", 5}};
  const unsigned first = below(6), second = below(6), away = below(60);
  for (unsigned i = 0; i < 40; ++i) {
    const Base &base = bases[i == away || below(3) ? first : below(2) ? second : below(6)];
    static constexpr const char *sizes[] = {"", "", "", ".64", ".128"};
    const unsigned size = i == away ? 0 : below(base.sizes), words = size < 3 ? 1 : size == 3 ? 2 : 4;
    int offset = int(below(6) * 4 * words);
    if (i == away)
      offset += below(4) == 0 ? 2 : below(2) ? 4096 : -256;
    const std::string address =
        "[" + std::string(base.address) + (offset < 0 ? "" : "+") + std::to_string(offset) + "]";
    const std::string guard = i == away || below(6) ? "        " : "  @P1   ";
    switch (i == away ? 9 : below(10)) {
    case 0:
      text += guard + "FADD " + data(1) + ", " + data(1) + ", " + data(1) + "\n";
      break;
    case 1:
      text += guard + "FFMA " + data(1) + ", " + data(1) + ", " + data(1) + ", " + data(1) + "\n";
      break;
    case 2:
      text += guard + (below(2) ? "IADD R6, R6, 16\n" : "LOP.and R6, R6, 0x30\n");
      break;
    case 3:
    case 4:
    case 5:
      text += guard + base.store + sizes[size] + " " + address + ", " + data(words) + "\n";
      break;
    case 6:
      text += "        LDS R6, [R6+" + std::to_string(4 * below(4)) + "]\n        LOP.and R6, R6, 0x70\n";
      break;
    default:
      text += guard + base.load + sizes[size] + " " + data(words) + ", " + address + "\n";
    }
  }
  return text + R"(
        IADD R30, R30, -1
        ISETP.ne P0, R30, RZ
  @P0   BRA next
        EXIT
        .endkernel
)";
}

TEST_F(CompiledTier, RandomAccessesOfFewBases) {
  unsigned ends = 0, traps = 0;
  for (u32 seed = 0; seed < effort(24) && !HasFailure(); ++seed) {
    Work work{assembled(accessesOfFewBases(seed).c_str())};
    work.grid = {2, 1, 1};
    work.block = {seed % 3 ? 64u : 45u, 1, 1};
    work.sharedBytes = 1024;
    work.localBytes = 256;
    std::mt19937 random(seed);
    for (int k = 0; k < 2; ++k) {
      std::vector<u32> words(256);
      for (u32 &word : words) // zeros, and NaNs of every kind
        word = random() % 3 ? u32(random() & 0x3ffc) : u32(random() | 0x7f800000);
      work.buffers.push_back(words);
    }
    Outcome outcome = expectSame(work, {~u64(0), 61}, "seed " + std::to_string(seed));
    (outcome.end.empty() ? ends : traps)++;
  }
  EXPECT_GT(ends, 2u);
  EXPECT_GT(traps, 0u);
}

/// Each atomic that there is, in shared and global memory, of lanes whose words lie at `places` (made of R0,
/// R10, R21 and P0, 0 to 255); in the end one that is misaligned.
static std::string atomicsOfEveryKind(const std::string &places, bool of64Bits = true) {
  std::string text = R"(
        .kernel k
        .param ptr words
        .param ptr random
        .param ptr out
        S2R R0, SR_TID.X
        SHL R1, R0, 4
        IADD.CC R2, R1, c[0][random]
        IADD.X R3, RZ, c[0][random+4]
        LDG.128 R8, [R2.64]
        MOV R20, RZ
        MOV R21, 3
next:
)" + places + R"(
        IADD.CC R4, R6, c[0][words]
        IADD.X R5, RZ, c[0][words+4]
        ISETP.gt P1, R11, RZ
)";
  auto atomic = [&](const std::string &kind, bool isWide, const std::string &operands) {
    if (isWide && !of64Bits)
      return;
    for (const char *guard : {"@P1 ", ""})
      for (bool isShared : {false, true}) {
        text += "        " + std::string(guard) + (isShared ? "ATOMS" : "ATOM") + kind + " R12, " +
                (isShared ? "[R6]" : "[R4.64+64]") + ", " + operands + "\n        IMAD R20, R20, 33, R12\n";
        if (isWide)
          text += "        IMAD R20, R20, 33, R13\n";
      }
  };
  for (std::string kind : {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch"})
    atomic("." + kind, false, "R8");
  for (std::string kind : {"min", "max"})
    atomic("." + kind + ".s32", false, "R8");
  for (std::string kind : {"add", "min", "max", "and", "or", "xor", "exch"})
    atomic("." + kind + ".u64", true, "R8");
  atomic(".add.f32", false, "R8");
  atomic(".CAS", false, "R12, R9");
  atomic(".CAS.u64", true, "R12, R8");
  for (std::string kind : {"add", "xor", "add.f32", of64Bits ? "max.u64" : "max"})
    text += "        RED." + kind + " [R4.64], R8\n";
  return text + R"(
        IMAD R10, R10, 5, R11
        IMAD R11, R11, 7, R0
        IADD R8, R8, R20
        IADD R21, R21, -1
        ISETP.ne P0, R21, RZ
  @P0   BRA next
        SHL R1, R0, 2
        IADD.CC R2, R1, c[0][out]
        IADD.X R3, RZ, c[0][out+4]
        STG [R2.64], R20
        LOP.and R22, R0, 2
        IADD.CC R4, R4, R22
        IADD.X R5, RZ, R5
        ATOM.add R12, [R4.64], R8
        EXIT
        .endkernel
)";
}

TEST_F(CompiledTier, AtomicsOfEveryKind) {
  std::mt19937 random(5);
  // Lanes meet at some words, all at one, or each has its own.
  const std::string meeting = "LOP.and R6, R10, 0x38", one = "LOP.and R6, R21, 1\nSHL R6, R6, 3",
                    row = "LOP.and R6, R0, 31\nSHL R6, R6, 2\n@P0 IADD R6, R6, 8";
  for (const Engine *engine : availableEngines())
    for (const auto &[threads, places] : std::initializer_list<std::pair<u32, std::string>>{
             {32, meeting}, {50, meeting}, {64, one}, {50, row}}) {
      Work work{assembled(atomicsOfEveryKind(places, places != row), *engine)};
      work.grid = {2, 1, 1};
      work.block = {threads, 1, 1};
      work.sharedBytes = 256 + 64;
      work.buffers = {std::vector<u32>(96), std::vector<u32>(size_t(threads) * 4), std::vector<u32>(threads)};
      for (std::vector<u32> &words : work.buffers)
        for (u32 &word : words)
          word = random();
      Outcome outcome = expectSame(work, {~u64(0), 41},
                                   std::string(engine->name) + ", " + std::to_string(threads) + " threads");
      EXPECT_NE(outcome.end.find("MISALIGNED_ADDRESS"), std::string::npos) << outcome.end;
    }
}

// Other host threads add up, too.
TEST_F(CompiledTier, AtomicsOfSeveralHostThreads) {
  const Program program = assembled(R"(
        .kernel k
        .param ptr sum
        MOV R4, c[0][sum]
        MOV R5, c[0][sum+4]
        MOV R6, 1
        MOV R7, 20
next:   RED.add [R4.64], R6
        ATOM.add.u64 R8, [R4.64+8], R6
        IADD R7, R7, -1
        ISETP.ne P0, R7, RZ
  @P0   BRA next
        EXIT
        .endkernel
)");
  TierScope scope("compiled");
  TestMachine machine({}, program.engine());
  LaunchSpec spec;
  spec.kernel = "test";
  spec.grid = {400, 1, 1};
  spec.block = {64, 1, 1};
  const u64 sum = machine.buffer(16);
  spec.parameters.resize(8);
  std::memcpy(spec.parameters.data(), &sum, 8);
  auto run = cantFail(ParallelRun::create(machine.device, program, spec, 5));
  ASSERT_EQ(run->run(), StopReason::Finished);
  // R7:R6 is what the other adds: 1 and, above it, 20 to 1.
  const u64 lanes = 400 * 64, more = (lanes * 20) + (lanes * 210 << 32);
  const std::vector<u32> words = machine.words(sum, 4);
  EXPECT_EQ(words[0], lanes * 20);
  EXPECT_EQ(words[2] | u64(words[3]) << 32, more);
}

// Code for all lanes keeps rows that they share as words. Lanes that have parted come back with others: then
// code is not entered, and in the end made anew.
TEST_F(CompiledTier, WordsThatLanesShareNoMore) {
  Work work{assembled(R"(
.kernel k
  S2R R4, SR_LANEID
  MOV R5, RZ
  MOV R6, RZ
  SHL R8, R4, 2
next:
  IADD R6, R6, R5
  IADD R8, R8, R5
  LOP.and R7, R6, 1
  ISETP.ne P0, R7, RZ
  IADD R5, R5, 1
  LOP.and R9, R5, 15
  ISETP.ne P1, R9, 7
  @P1 BRA goOn
  SSY joined
  ISETP.lt P2, R4, 9
  @P2 BRA few
  IADD R5, R5, 2
  SYNC
few:
  IADD R6, R6, R4
  IADD R8, R8, 3
  SYNC
joined:
goOn:
  @P0 IADD R6, R6, 5
  ISETP.lt P3, R5, 3000
  VOTE.ANY P3, P3
  @P3 BRA next
  EXIT
.endkernel
)")};
  expectSame(work, {~u64(0), 7, 31}, "a counter that lanes share no more");
  compiled::RegionPlan::Guess guess;
  auto full = cantFail(compiled::CompiledKernel::get(work.program, 0, compiled::Warps::Full, guess));
  EXPECT_GE(full->timesRefused(), 64u);
  ASSERT_TRUE(full->later());
  EXPECT_FALSE(full->later()->guess().sharesWords);
  EXPECT_EQ(full->later()->timesRefused(), 0u);
}

// What the plan keeps in accesses is none of the program's.
TEST_F(CompiledTier, CodeIsOfTheProgramItWasMadeOf) {
  const char *const text = R"(
.kernel k
.param ptr data
  S2R R0, SR_TID.X
  SHL R0, R0, 3
  IADD.CC R2, R0, c[0][data]
  IADD.X R3, RZ, c[0][data+4]
  LDG R4, [R2.64]
  LDG R5, [R2.64+4]
  {0}
  LDC R6, c[{1}][R4]
  STG [R2.64], R4
  STG [R2.64+4], R5
  ATOM.add R5, [R2.64], R4
  EXIT
.endkernel
)";
  const Program program = assembled(llvm::formatv(text, "IADD R4, R4, R5", 1).str()),
                other = assembled(llvm::formatv(text, "IADD R4, R5, R4", 1).str()),
                ofOtherBank = assembled(llvm::formatv(text, "IADD R4, R4, R5", 2).str());
  for (compiled::Warps warps : {compiled::Warps::Any, compiled::Warps::Full, compiled::Warps::Whole}) {
    auto kernel = cantFail(compiled::CompiledKernel::get(program, 0, warps, {}));
    EXPECT_TRUE(kernel->isOf(program)) << unsigned(warps);
    EXPECT_FALSE(kernel->isOf(other)) << unsigned(warps);
    EXPECT_FALSE(kernel->isOf(ofOtherBank)) << unsigned(warps);
    EXPECT_EQ(cantFail(compiled::CompiledKernel::get(program, 0, warps, {})), kernel);
    EXPECT_NE(cantFail(compiled::CompiledKernel::get(other, 0, warps, {})), kernel);
  }
}

// Where a kernel begins with what is the machine's, its code is nothing but its ways in and out.
TEST_F(CompiledTier, KernelsOfNearlyNothing) {
  for (const char *first : {"BRX R1, .+8",
                            "BRX.U R1, .+8",
                            "@P0 BRX R1, .+8",
                            "@!PT BRX R1, .+8",
                            "JMX R1, 0x8",
                            "@P0 JMX R1, 0x8",
                            "BRA .+8",
                            "JMP 0x8",
                            "@P0 BRA .+8",
                            "CAL .+8",
                            "JCAL 0x8",
                            "PRET .+8",
                            "SSY .+8",
                            "PBK .+8",
                            "PCNT .+8",
                            "NOP.S",
                            "SYNC",
                            "RET",
                            "BRK",
                            "CONT",
                            "KIL",
                            "EXIT",
                            "@P0 EXIT",
                            "@!P0 EXIT",
                            "BAR.SYNC 0",
                            "@P0 BAR.SYNC 1",
                            "MEMBAR.cta",
                            "BPT 1",
                            "NOP",
                            "S2R R0, SR_CLOCKLO",
                            "LDG R0, [RZ]",
                            "STG [R2.64], R1",
                            "LDS R0, [R1]",
                            "ATOMS.add R0, [RZ], R1"})
    for (unsigned threads : {32, 40}) {
      Work work{assembled(std::string(first) + "\n EXIT")};
      work.grid = {3, 1, 1};
      work.block = {threads, 1, 1};
      work.sharedBytes = 64;
      expectSame(work, {~u64(0), 1}, std::string(first) + ", " + std::to_string(threads) + " threads");
    }
}

// What code has computed is there where it has one way out, which lies in the midst of its one block.
TEST_F(CompiledTier, KernelsThatLeaveInOneWay) {
  for (const Engine *engine : availableEngines())
    for (const char *last : {"@!P0 KIL", "BRX R9, .+8", "FADD.rz R4, R3, R3", "MOV.S R9, RZ", "BAR.SYNC 0"}) {
      Work work{assembled("S2R R0, SR_TID.X\nISETP.lt P0, R0, 12\nIADD.CC R3, R0, -7\nISETP.lt P1, R3, 2\n"
                          "SEL R5, R0, R3, P1\n" +
                              std::string(last) + "\n@P1 IADD.X R6, R3, R5\nP2R R7, R7, 0x7f\nEXIT",
                          *engine)};
      work.grid = {3, 1, 1};
      work.block = {64, 1, 1};
      expectSame(work, {~u64(0), 1, 7}, engine->name + (", " + std::string(last)));
    }
}

// A few statements of any kind with jumps between them, by CTAs of any size, in which warps may run from
// their start to their end, or from barrier to barrier.
TEST_F(CompiledTier, RandomShortKernels) {
  static constexpr const char *statements[] = {"BRA l{6}",
                                               "BRA.U l{6}",
                                               "BRX R{0}, l{6}",
                                               "JMX R{0}, l{6}",
                                               "JMP l{6}",
                                               "SSY l{6}",
                                               "PBK l{6}",
                                               "PCNT l{6}",
                                               "PRET l{6}",
                                               "CAL l{6}",
                                               "SYNC",
                                               "BRK",
                                               "CONT",
                                               "RET",
                                               "NOP.S",
                                               "EXIT",
                                               "KIL",
                                               "BAR.SYNC 0",
                                               "BAR.SYNC 0",
                                               "BAR.ARV 1, {7}",
                                               "MEMBAR.cta",
                                               "S2R R{0}, SR_TID.X",
                                               "S2R R{0}, SR_TID.Y",
                                               "S2R R{0}, SR_CTAID.X",
                                               "S2R R{0}, SR_WARPID",
                                               "S2R R{0}, SR_LANEID",
                                               "S2R R{0}, SR_SMID",
                                               "S2R R{0}, SR_CLOCKLO",
                                               "MOV R{0}, {3}",
                                               "MOV R{0}, R{1}",
                                               "IADD R{0}, R{1}, {3}",
                                               "IADD.CC R{0}, R{1}, R{2}",
                                               "IMAD R{0}, R{1}, R{2}, R{0}",
                                               "LOP.and R{0}, R{1}, {3}",
                                               "SHL R{0}, R{1}, {4}",
                                               "FADD R{0}, R{1}, R{2}",
                                               "SEL R{0}, R{1}, R{2}, P{5}",
                                               "ISETP.lt P{5}, R{1}, {3}",
                                               "ISETP.ne P{5}, R{1}, R{2}",
                                               "VOTE.ANY P{5}, P{5}",
                                               "SHFL.BFLY R{0}, R{1}, {4}, 0x1f",
                                               "LDG R{0}, [R8.64]",
                                               "LDG R{0}, [R10.64]",
                                               "STG [R8.64], R{1}",
                                               "STG [R10.64], R{1}",
                                               "STG [R10.64+{3}*4], R{1}",
                                               "ATOM.add R{0}, [R8.64], R{1}",
                                               "RED.max [R10.64], R{1}",
                                               "LDS R{0}, [R12]",
                                               "STS [R12], R{1}",
                                               "STS [R{0}], R{1}",
                                               "ATOMS.add R{0}, [R12], R{1}",
                                               "LD R{0}, [R8.64]",
                                               "ST [R10.64], R{1}",
                                               "LDG.64 R2, [R8.64+8]",
                                               "STG.128 [R8.64+16], R4",
                                               "LDG.u8 R{0}, [R10.64+{3}]",
                                               "LDS.64 R2, [RZ+{4}*8]",
                                               "STS.u16 [R12+2], R{1}",
                                               "LDC R{0}, c[0][R{1}]",
                                               "LDLK P{5}, R{0}, [R8.64]",
                                               "STUL [R8.64], R{1}",
                                               "FFMA R{0}, R{1}, R{2}, R{0}",
                                               "F2I R{0}, R{1}",
                                               "POPC R{0}, R{1}",
                                               "P2R R{0}, R{1}, 0x7f",
                                               "LDL R{0}, [RZ+4]",
                                               "STL [RZ+4], R{1}"};
  static constexpr const char *head = R"(
        S2R R4, SR_TID.X
        S2R R5, SR_CTAID.X
        IMAD R6, R5, c[0][0], R4
        SHL R12, R4, 2
        SHL R7, R6, 2
        MOV R8, c[0][words]
        MOV R9, c[0][words+4]
        IADD.CC R10, R7, R8
        IADD.X R11, RZ, R9
)";
  const auto engines = availableEngines();
  unsigned trapped = 0, launches = 0;
  for (unsigned seed = 0; seed < effort(60) && !HasFailure(); ++seed) {
    if (!isOurs(seed))
      continue;
    std::mt19937 random(seed);
    auto below = [&](unsigned n) { return unsigned(random() % n); };
    auto oneOf = [&](std::initializer_list<unsigned> values) {
      return values.begin()[random() % values.size()];
    };
    const unsigned count = 1 + below(12), threads = oneOf({1, 31, 32, 33, 50, 64, 96, 100});
    std::string text = ".kernel k\n.param ptr words\n";
    if (below(4))
      text += head;
    const unsigned calm = oneOf({0, 17, 21}); // without jumps, and without barriers
    for (unsigned i = 0; i < count; ++i) {
      static constexpr const char *guards[] = {"", "", "", "@P0 ", "@!P0 ", "@P1 "};
      const char *statement = statements[calm + below(unsigned(std::size(statements)) - calm)];
      const llvm::StringRef name(statement);
      const bool pushes = name[0] == 'P' || name.starts_with("SSY") || name.starts_with("CAL"); // all lanes
      text += llvm::formatv("l{0}: {1}", i, pushes ? "" : guards[below(std::size(guards))]).str() +
              llvm::formatv(false, statement, below(8), below(8), below(8), below(9), below(6), below(2),
                            below(count + 1), 32 * (1 + below(4)))
                  .str() +
              "\n";
    }
    text += llvm::formatv("l{0}: {1}EXIT\n.endkernel\n", count, below(2) ? "STG [R10.64], R0\n" : "").str();
    Work work{assembled(text, *engines[seed % engines.size()])};
    work.grid = {1 + below(80), 1 + below(2), 1};
    work.block = {threads, below(4) ? 1u : 2u, 1};
    work.sharedBytes = oneOf({0, 64, 1024});
    work.localBytes = oneOf({0, 0, 16});
    work.buffers = {std::vector<u32>(size_t(work.grid.x) * threads + 64)};
    work.config.sm.count = oneOf({1, 3, 4});
    work.config.scheduler.quantum = oneOf({20, 200, 1000});
    if (below(4) == 0)
      work.config.stack.model = below(2) ? MachineConfig::Stack::Cache : MachineConfig::Stack::Memory;
    work.limit = oneOf({3'000, 1'000'000});
    const bool isCounted = below(2);
    const Outcome expected = outcomeOf(work, "interpreter", ~u64(0), true, isCounted);
    for (unsigned launch = 0; launch < 3; ++launch) { // code is made anew for what was seen
      const Outcome got = outcomeOf(work, "compiled", ~u64(0), true, isCounted);
      ASSERT_TRUE(got.end == expected.end && got.instructions == expected.instructions &&
                  got.buffers == expected.buffers && got.stack == expected.stack)
          << "seed " << seed << ", launch " << launch << ": " << got.end << " for " << expected.end << ", "
          << got.instructions << " for " << expected.instructions << "\n"
          << text;
      if (isCounted)
        ASSERT_EQ(got.counts.back().differenceTo(expected.counts.back()), "") << "seed " << seed << "\n"
                                                                              << text;
    }
    trapped += !expected.end.empty(), ++launches;
  }
  EXPECT_LE(trapped, 10 + launches * 9 / 10);
}

TEST_F(CompiledTier, RandomWordsThatLanesShare) {
  static constexpr const char *templates[] = {"IADD R{0}, R{1}, R{2}",
                                              "IADD R{0}, R{1}, {3}",
                                              "IADD R{0}, R{1}, -R{2}",
                                              "IADD.CC R{0}, R{1}, R{2}",
                                              "IADD.X R{0}, R{1}, R{2}",
                                              "SHL R{0}, R{1}, {4}",
                                              "IMUL R{0}, R{1}, {3}",
                                              "IMAD R{0}, R{1}, R{2}, R{0}",
                                              "LOP.and R{0}, R{1}, R{2}",
                                              "LOP.xor R{0}, R{1}, -1",
                                              "SHR.u32 R{0}, R{1}, {4}",
                                              "LEA.HI.X R{0}, R{1}, R{2}, RZ, 2",
                                              "ISETP.lt.u32 P{5}, R{1}, R{2}",
                                              "ISETP.ne P{5}, R{1}, {3}",
                                              "SEL R{0}, R{1}, R{2}, P{5}",
                                              "MOV R{0}, R{1}",
                                              "MOV R{0}, {3}",
                                              "IMNMX R{0}, R{1}, R{2}, P{5}",
                                              "STS [R{6}+{3}*4], R{1}",
                                              "LDS R{0}, [R{6}+{3}*4]",
                                              "LDS R{0}, [R9]",
                                              "SHFL.IDX R{0}, R{1}, {4}, 0x1f",
                                              "FADD R{0}, R{1}, R{2}",
                                              "VOTE.ANY P{5}, P{5}"};
  const std::vector<const Engine *> engines = availableEngines();
  for (u32 seed = 1; seed <= effort(12) && !HasFailure(); ++seed) {
    std::mt19937 random(seed);
    auto any = [&](unsigned from, unsigned to) { return from + unsigned(random() % (to - from + 1)); };
    auto operations = [&](unsigned count) {
      std::string text;
      for (; count; --count) {
        const unsigned guard = any(0, 5);
        text += guard < 2 ? llvm::formatv("  @{0}P{1} ", guard ? "!" : "", any(0, 3)).str() : "  ";
        text += llvm::formatv(templates[random() % std::size(templates)], any(4, 8), any(4, 8), any(4, 8),
                              any(0, 90), any(0, 31), any(0, 3), random() % 2 ? 10 : 11)
                    .str() +
                "\n";
      }
      return text;
    };
    // What lanes share, or what lies side by side, and loops that go on with it; R10 and R11 are addresses.
    std::string text =
        ".kernel k\n  S2R R4, SR_TID.X\n  S2R R5, SR_CTAID.X\n  MOV R6, 77\n  IADD R7, R4, R5\n"
        "  SHL R10, R4, 2\n  MOV R11, 64\n  MOV R9, 32\n  MOV R60, 0\n" +
        operations(any(0, 4));
    for (unsigned loop = 0; loop < 2; ++loop) {
      text += llvm::formatv("next{0}:\n", loop).str() + operations(any(2, 8));
      if (random() % 2)
        text +=
            llvm::formatv("  SSY join{0}\n  @P{1} BRA part{0}\n{2}  SYNC\npart{0}:\n{3}  SYNC\njoin{0}:\n",
                          loop, any(0, 3), operations(any(0, 3)), operations(any(0, 3)))
                .str();
      if (random() % 2)
        text += "  BAR.SYNC 0\n";
      text += operations(any(0, 5)) +
              llvm::formatv("  IADD R60, R60, 1\n  ISETP.lt P6, R60, {0}\n  @P6 BRA next{1}\n",
                            20 * (loop + 1), loop)
                  .str();
    }
    Work work{assembled(text + "  EXIT\n.endkernel\n", *engines[seed % engines.size()])};
    work.grid = {2, 1, 1};
    work.block = {random() % 4 ? 64u : 48u, 1, 1};
    work.sharedBytes = 4096;
    expectSame(work, {~u64(0), 23}, "seed " + std::to_string(seed) + ":\n" + text);
  }
}

TEST_F(CompiledTier, EveryVectorWidth) {
  for (const Engine *engine : availableEngines())
    for (u32 seed = 201; seed <= 200 + effort(1) && !HasFailure(); ++seed) {
      Work work = workOf(StructuredProgram::random(seed), *engine);
      work.limit = 50'000;
      expectSame(work, {~u64(0)}, std::string(engine->name) + ", seed " + std::to_string(seed));
    }
}
