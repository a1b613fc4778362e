#include "StructuredProgram.h"
#include "Harness.h"
#include "asm/LoadProgram.h"
#include "emu/program/Predecoder.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/EachCounter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

// Random structured programs on the machine against one lane at a time, whatever keeps the stack.
using namespace leno;
using namespace leno::test;

namespace {

std::string describe(const MachineConfig &config) {
  const MachineConfig::Stack &s = config.stack;
  return llvm::formatv(
      "stack.model={0} entries={1} set={2} policy={3} flags={4} direction={5} spill={6} restore={7} "
      "move={8} ahead={9} timing={10} constants={11}/{12} restored={13}",
      s.model, s.entries, s.setEntries, s.policy, s.flags, s.direction, s.spillThreshold, s.restoreThreshold,
      s.moveEntries, s.setsAhead, config.timing.model, config.constants.model,
      config.constants.caches.protocol, s.restored);
}

/// A stack cache of any kind, mostly small ones; a third under the cycle model.
MachineConfig randomCache(std::mt19937 &random) {
  for (;;) {
    MachineConfig config;
    MachineConfig::Stack &stack = config.stack;
    stack.model = MachineConfig::Stack::Cache;
    stack.entries = random() % 4 ? 2 + random() % 7 : 4 + random() % 13;
    stack.setEntries = 1 + random() % 4;
    stack.policy = random() % 2;
    stack.flags = random() % 2;
    stack.direction = random() % 2;
    stack.spillThreshold = random() % stack.entries;
    stack.restoreThreshold = random() % stack.entries;
    stack.restored = random() % 2;
    stack.moveEntries = 1 + random() % (stack.entries - 1);
    stack.setsAhead = 1 + random() % 2;
    config.timing.model = random() % 3 == 0;
    config.timing.memoryLatency = 1 + random() % 100;
    config.timing.memoryInterval = 1 + random() % 8;
    config.timing.postedWrites = random() % 2;
    config.sm.count = 1 + random() % 2;
    config.constants.model = random() % 2;
    config.constants.caches.protocol = random() % 3;
    config.constants.caches.l1 = {32, 8, 2};
    if (llvm::Error error = config.check())
      llvm::consumeError(std::move(error));
    else
      return config;
  }
}

/// Three stack caches, the whole stack on chip and all of it in memory.
std::vector<MachineConfig> configurationsFor(u32 seed) {
  std::mt19937 random(seed);
  std::vector<MachineConfig> configs(2);
  configs[1].stack.model = MachineConfig::Stack::Memory;
  for (int i = 0; i < 3; ++i)
    configs.push_back(randomCache(random));
  return configs;
}

struct Totals {
  u64 programs = 0, runs = 0;
  StackCounters stack;
};

/// Empty: the machine did as the model says; otherwise what was different, under which configuration.
std::string mismatch(const StructuredProgram &program, Totals *totals = nullptr) {
  std::string diagnostics;
  llvm::raw_string_ostream told(diagnostics);
  llvm::Expected<Executable> executable = loadProgramText(program.assembly(), "<random>", {}, told);
  if (!executable)
    return "not assembled: " + llvm::toString(executable.takeError()) + "\n" + diagnostics;
  Program code = predecode(executable->code(), widest());
  std::vector<LaneResult> expected;
  for (u32 thread = 0; thread < program.threads; ++thread)
    expected.push_back(runAlone(program, thread));
  for (const MachineConfig &config : configurationsFor(program.seed)) {
    TestMachine machine(config);
    u64 table = machine.buffer(tableWords * 4), out = machine.buffer(u64(program.threads) * laneWords * 4);
    machine.setWords(table, program.table());
    Machine &run = machine.launch(code, {1}, {program.threads}, {u32(table), 0, u32(out), 0}, 0, 50'000'000);
    if (run.run().reason != StopReason::Finished)
      return describe(config) + ": " + (run.grid()->trap() ? run.grid()->trap()->str() : "not finished");
    std::vector<u32> got = machine.words(out, size_t(program.threads) * laneWords);
    for (u32 thread = 0; thread < program.threads; ++thread)
      for (unsigned word = 0; word < resultWords; ++word)
        if (u32 is = got[thread * laneWords + word]; is != expected[thread][word])
          return llvm::formatv("{0}: thread {1}, word {2} is {3:x}, not {4:x}", describe(config), thread,
                               word, is, expected[thread][word]);
    if (!totals)
      continue;
    ++totals->runs;
    totals->stack += run.grid()->stackCounters();
  }
  if (totals)
    ++totals->programs;
  return "";
}

/// A program that fails, as small as it gets, as a file that leno-run takes. Returns its path.
std::string save(const StructuredProgram &program, const std::string &why) {
  llvm::SmallString<128> path(testing::TempDir());
  path += "structured-" + std::to_string(program.seed) + ".s";
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  file << "# " << why << "\n# seed " << program.seed << ", --block " << program.threads
       << " --arg in:TABLE --arg out:u32[" << program.threads << "," << laneWords << "]:FILE; the table is";
  for (u32 word : program.table())
    file << ' ' << word;
  file << "\n# each thread's words are to be\n";
  for (u32 thread = 0; thread < program.threads; ++thread) {
    file << "#  " << thread << ":";
    for (u32 word : runAlone(program, thread))
      file << ' ' << word;
    file << '\n';
  }
  file << program.assembly();
  return std::string(path);
}

bool holds(const Block &block, Statement::Kind kind) {
  for (const Statement &s : block) {
    if (s.kind == kind)
      return true;
    for (const Block &body : s.bodies)
      if (holds(body, kind))
        return true;
  }
  return false;
}

} // namespace

TEST(StructuredPrograms, RunAsOneLaneAtATimeWouldUnderEveryStack) {
  Totals totals;
  std::array<u64, Statement::count> kinds{};
  for (u32 seed = 1; seed <= effort(2000); ++seed) {
    StructuredProgram program = StructuredProgram::random(seed);
    if (std::string why = mismatch(program, &totals); !why.empty()) {
      StructuredProgram smallest =
          shrink(program, [](const StructuredProgram &candidate) { return !mismatch(candidate).empty(); });
      FAIL() << "seed " << seed << ": " << why << "\nshrunk from " << program.statements() << " to "
             << smallest.statements() << " statements: " << save(smallest, mismatch(smallest));
    }
    for (unsigned kind = 0; kind < Statement::count; ++kind)
      for (const Block &function : program.functions)
        kinds[kind] += holds(function, Statement::Kind(kind));
  }
  EXPECT_EQ(totals.runs, totals.programs * 5);
  for (unsigned kind = 0; kind < Statement::count; ++kind)
    EXPECT_GT(kinds[kind], totals.programs / 100) << "statement " << kind << " hardly ever comes";
  EXPECT_GT(totals.stack.spills.entries, totals.programs * 10) << "the stacks were meant to spill";
  EXPECT_GT(totals.stack.restores.entries, totals.programs * 5);
  EXPECT_GE(totals.stack.deepest, 40u) << "some were meant to be deep";
  RecordProperty("stackPushes", std::to_string(totals.stack.pushes));
  RecordProperty("spilledEntries", std::to_string(totals.stack.spills.entries));
}

TEST(StructuredPrograms, AreCountedByStretchesAsOneByOne) {
  for (u32 seed = 1; seed <= effort(60) && !testing::Test::HasFailure(); ++seed) {
    StructuredProgram program = StructuredProgram::random(seed);
    Program code = assembled(program.assembly());
    auto run = [&](llvm::ArrayRef<Observer *> observers, u64 piece) {
      TestMachine machine;
      u64 table = machine.buffer(tableWords * 4), out = machine.buffer(u64(program.threads) * laneWords * 4);
      machine.setWords(table, program.table());
      Machine &grid =
          machine.launch(code, {1}, {program.threads}, {u32(table), 0, u32(out), 0}, 0, 50'000'000);
      for (Observer *observer : observers)
        grid.addObserver(*observer);
      while (grid.run(piece).reason == StopReason::Budget) {
      }
    };
    for (u64 piece : {~u64(0), u64(37)})
      expectCountsAsOneByOne([&](llvm::ArrayRef<Observer *> observers) { run(observers, piece); },
                             "seed " + std::to_string(seed) + ", pieces of " + std::to_string(piece));
  }
}

TEST(StructuredPrograms, EveryWayToJumpComesOften) {
  constexpr unsigned programs = 300;
  const char *const forms[] = {"BRX",     "JMX",   "JMP",         "JCAL", "KIL",     "EXIT",
                               "CC.ne",   "CC.lt", "@!P3 BRA CC", "@P3 ", "@P0 RET", "CONT",
                               "BRA.SSY", "PCNT",  "PBK",         "SSY",  "CAL",     ".S "};
  std::map<std::string, unsigned> seen;
  for (u32 seed = 1; seed <= programs; ++seed) {
    std::string text = StructuredProgram::random(seed).assembly();
    for (const char *form : forms)
      seen[form] += text.find(form) != std::string::npos;
  }
  for (const char *form : forms)
    EXPECT_GE(seen[form], programs / 30) << form;
}

TEST(StructuredPrograms, AFailingOneIsShrunkToWhatFails) {
  // "Fails" when a loop holds a break: what is left is that loop and that break.
  auto fails = [](const StructuredProgram &program) {
    std::function<bool(const Block &, bool)> search = [&](const Block &block, bool inLoop) {
      for (const Statement &s : block) {
        if (s.kind == Statement::Break && inLoop)
          return true;
        for (const Block &body : s.bodies)
          if (search(body, inLoop || s.kind == Statement::Loop))
            return true;
      }
      return false;
    };
    for (const Block &function : program.functions)
      if (search(function, false))
        return true;
    return false;
  };
  unsigned tried = 0;
  for (u32 seed = 1; tried < 10; ++seed) {
    StructuredProgram program = StructuredProgram::random(seed);
    if (!fails(program))
      continue;
    ++tried;
    EXPECT_EQ(shrink(program, fails).statements(), 2u) << "seed " << seed;
  }
}

TEST(StructuredPrograms, ASavedOneCanBeRunAgain) {
  StructuredProgram program = StructuredProgram::random(3);
  std::string path = save(program, "nothing is wrong with it");
  std::string diagnostics;
  llvm::raw_string_ostream told(diagnostics);
  EXPECT_TRUE(bool(loadProgram(path, {}, told))) << diagnostics;
  llvm::sys::fs::remove(path);
}
