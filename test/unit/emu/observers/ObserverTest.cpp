#include "asm/LoadProgram.h"
#include "emu/Snapshot.h"
#include "emu/compiled/CompilerLibrary.h"
#include "emu/program/Predecoder.h"
#include "emu/sm/Cta.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/Harness.h"
#include "test/unit/emu/StructuredProgram.h"
#include "test/unit/emu/TierScope.h"
#include "test/unit/emu/observers/BytesBySpace.h"
#include "llvm/Support/FormatVariadic.h"

// What observers are told, by what they ask for; tools with a state, and snapshots.
using namespace leno;
using namespace leno::test;

namespace {

struct Line {
  unsigned kind;
  std::string text;
  bool operator==(const Line &) const = default;
};

std::ostream &operator<<(std::ostream &os, const Line &line) { return os << line.kind << ": " << line.text; }

/// Writes down each event, with the one kind that it is of.
class Log : public Observer {
public:
  explicit Log(Interests wanted) : wanted(wanted) {}
  Interests wanted;
  std::vector<Line> lines;

  Interests interests() const override { return wanted; }
  void gridStart(const GridRun &run) override { say(Grids, "grid", run.gridId()); }
  void gridEnd(const GridRun &run) override { say(Grids, "grid ends", run.instructions()); }
  void ctaStart(const Cta &cta) override { say(Life, "cta", cta.index().x); }
  void ctaEnd(const Cta &cta) override { say(Life, "cta ends", cta.index().x); }
  void warpStart(const Warp &warp) override { say(Life, "warp", warp.index()); }
  void warpExit(const Warp &warp) override { say(Life, "warp exits", warp.index()); }
  void trap(const GridRun &, const Trap &trap) override { say(Grids, trap.str()); }
  void instruction(const Warp &warp, const Op &op, LaneMask lanes) override {
    at(Instructions, warp, op, "begins", lanes);
  }
  void instructionDone(const Warp &warp, const Op &op, LaneMask lanes) override {
    at(Results, warp, op, "done", lanes);
  }
  void executed(const Op &op, const OperationCount &count) override {
    say(Counts, semanticName(op.semantic), count.number, count.times, count.lanes, count.accesses,
        count.stack.pushed(), count.stack.popped(), count.stack.divergences, count.stack.reconvergences);
    counted[count.number] += count.stack;
  }
  void progressed(const Progress &made) override {
    say(Counts, "progress", made.ctas, made.warps, made.deepestStack);
  }
  void memory(const Warp &warp, const Op &op, const MemoryAccess &a) override {
    bool isGeneric = op.semantic == Semantic::LD || op.semantic == Semantic::ST;
    at(isGeneric                              ? GenericMemory
       : a.kind == MemoryAccess::Kind::Atomic ? Atomics
                                              : Memory,
       warp, op, "memory", unsigned(a.space), unsigned(a.kind), a.bytes, a.lanes,
       a.addresses[std::countr_zero(a.lanes)]);
  }
  void constantAccess(const Warp &warp, const Op &op, const ConstantAccess &a) override {
    at(Constants, warp, op, "constant", a.bank, a.offset, a.value, unsigned(a.source));
  }
  void divergence(const Warp &warp, const Op &op, LaneMask taken, LaneMask notTaken) override {
    at(Divergence, warp, op, "divergence", taken, notTaken);
    ++told[warp.addressOf(op) / 8].divergences;
  }
  void reconvergence(const Warp &warp, const Op &op, const Token &token, LaneMask lanes) override {
    at(Divergence, warp, op, "reconvergence", token.pc, lanes);
    ++told[warp.addressOf(op) / 8].reconvergences;
  }
  void push(const Warp &warp, const Op &op, const Token &token, const StackAccess &a) override {
    at(Stack, warp, op, "push", token.pc, token.mask, a.entry, unsigned(a.place));
    ++told[warp.addressOf(op) / 8].pushes[size_t(token.type)];
  }
  void pop(const Warp &warp, const Op &op, const Token &token, const StackAccess &a) override {
    at(Stack, warp, op, "pop", token.pc, token.mask, a.entry, unsigned(a.place));
    StackEvents &here = told[warp.addressOf(op) / 8];
    ++here.pops[size_t(token.type)];
    here.popsOnChip += a.place == EntryPlace::Chip || a.place == EntryPlace::ChipAndMemory;
  }
  void stackTransfer(const Warp &warp, const Op &op, const StackTransfer &t) override {
    at(Stack, warp, op, "transfer", t.isRestore, t.first, t.count, t.address);
    StackEvents &here = told[warp.addressOf(op) / 8];
    (t.isRestore ? here.restores : here.spills) += {1, t.transactions, t.count};
  }
  void stackWait(const Warp &warp, const Op &op, u64 cycles) override {
    at(Stack, warp, op, "wait", cycles);
    StackEvents &here = told[warp.addressOf(op) / 8];
    ++here.waits;
    here.stallCycles += cycles;
  }
  void barrierArrive(const Warp &warp, const Op &op, unsigned barrier, BarrierOperation how) override {
    at(Barriers, warp, op, "arrives", barrier, unsigned(how));
  }
  void barrierRelease(const Cta &cta, unsigned barrier) override {
    say(Barriers, "release", cta.index().x, barrier);
  }
  void lock(const Warp &warp, const Op &op, const LockAccess &a) override {
    at(Locks, warp, op, "lock", unsigned(a.space), a.bytes, a.lanes, a.taken);
    failed |= a.lanes & ~a.taken;
  }
  void unlock(const Warp &warp, const Op &op, const LockAccess &a) override {
    at(Locks, warp, op, "unlock", unsigned(a.space), a.bytes, a.lanes, a.taken);
  }
  void fence(const Warp &warp, const Op &op, LaneMask lanes) override {
    at(Fences, warp, op, "fence", lanes);
  }
  void host(const HostEvent &event) override { say(Host, "host", event.kind, event.address, event.bytes); }
  void deviceEvent(const DeviceEvent &event) override { say(Contexts, "device", event.kind, event.cycle); }
  void tickPassed() override { say(Contexts, "moment"); }

  LaneMask failed = 0; ///< to take a lock
  std::map<size_t, StackEvents> told, counted; ///< by operation

private:
  template <class... Values> void say(unsigned kind, const std::string &what, Values... values) {
    std::string text = what;
    ((text += " " + std::to_string(u64(values))), ...);
    lines.push_back({kind, text});
  }
  template <class... Values>
  void at(unsigned kind, const Warp &warp, const Op &op, const char *what, Values... values) {
    say(kind, what, warp.cta().index().x, warp.index(), warp.addressOf(op), values...);
  }
};

/// A random program that, before all else, synchronises, locks, fences and accesses generic addresses.
std::string programText(const StructuredProgram &program) {
  std::string text = program.assembly(), start = "S2R R0, SR_TID.X;\n";
  text.replace(text.find(start), start.size(), R"(
        BAR.SYNC 0;
        BAR.ARV 1, 256;
        S2R R0, SR_TID.X;
        SHR.u32 R5, R0, 1;            # lanes 2k and 2k+1 want one lock
        IMUL R5, R5, 4;
        IADD R5, R5, c[0][table];
        LDLK P0, R6, [R5];
        @P0 STUL [R5], R6;
        MEMBAR.GL;
        LD R6, [R5];
        ST [R5], R6;
        RED.add [R5], RZ;
        MOV R6, RZ;
        ISETP.ne P0, RZ, RZ;
        S2R R0, SR_TID.X;
)");
  return text;
}

MachineConfig configFor(u32 seed) {
  MachineConfig config;
  config.sm.count = 1;
  config.sm.ctas = 1; // others come when the first has ended
  config.stack.model = MachineConfig::Stack::Cache;
  config.stack.entries = 4;
  config.stack.moveEntries = 1 + seed % 3;
  config.timing.model = seed % 2;
  config.timing.memoryLatency = 40;
  config.constants.model = seed / 2 % 2;
  return config;
}

/// A launch of it on a machine of its own, with these observers from before its start.
class Launched {
public:
  Launched(const StructuredProgram &source, const MachineConfig &config = {})
      : machine(config),
        code(predecode(cantFail(loadProgramText(programText(source), "<random>", {}, llvm::nulls())).code(),
                       widest())) {
    table = machine.buffer(tableWords * 4);
    out = machine.buffer(u64(source.threads) * laneWords * 4);
    machine.setWords(table, source.table());
    run = &machine.launch(code, {2}, {source.threads}, {u32(table), 0, u32(out), 0}, 0, 50'000'000);
  }
  TestMachine machine;
  Program code;
  u64 table, out;
  Machine *run;
};

std::vector<Line> logOf(const StructuredProgram &source, const MachineConfig &config,
                        Observer::Interests wanted, LaneMask &failed) {
  Launched it(source, config);
  Log log(wanted);
  it.run->addObserver(log);
  EXPECT_EQ(it.run->run().reason, StopReason::Finished);
  cantFail(it.machine.device.memory().release(it.machine.buffer(100)));
  it.machine.words(it.out, 3);
  it.run->removeObserver(log);
  it.machine.words(it.out, 4); // which it must not hear of
  failed |= log.failed;
  if (wanted == Observer::everything) {
    std::erase_if(log.counted, [](const auto &entry) { return entry.second == StackEvents(); });
    EXPECT_EQ(log.counted, log.told) << "what is counted is not what is told as it happens";
  }
  return log.lines;
}

} // namespace

TEST(Observers, AreToldExactlyWhatTheyAskFor) {
  std::map<unsigned, u64> met;
  LaneMask failed = 0;
  for (u32 seed = 1; seed <= effort(24) && !HasFailure(); ++seed) {
    StructuredProgram source = StructuredProgram::random(seed);
    MachineConfig config = configFor(seed);
    const std::vector<Line> all = logOf(source, config, Observer::everything, failed);
    for (const Line &line : all)
      ++met[line.kind];
    for (unsigned kind = 1; kind < Observer::everything; kind <<= 1) {
      unsigned heard = kind == Observer::Memory ? kind | Observer::GenericMemory | Observer::Atomics
                       : kind == Observer::Life ? kind | Observer::Grids
                                                : kind;
      std::vector<Line> expected;
      std::copy_if(all.begin(), all.end(), std::back_inserter(expected),
                   [&](const Line &line) { return line.kind & heard; });
      ASSERT_EQ(logOf(source, config, kind, failed), expected) << "seed " << seed << ", kind " << kind;
    }
  }
  for (unsigned kind = 1; kind < Observer::everything; kind <<= 1)
    EXPECT_GT(met[kind], 10u) << "events of kind " << kind << " hardly ever come";
  EXPECT_TRUE(failed) << "no lane was meant to fail to take a lock";
}

TEST(Observers, HearTheSameOfCompiledCode) {
  if (auto library = compiled::compilerLibrary(); !library)
    GTEST_SKIP() << llvm::toString(library.takeError());
  constexpr Observer::Interests told = Observer::everything & ~Observer::eachInstruction;
  std::map<unsigned, u64> met;
  for (u32 seed = 1, tried = 0; tried < effort(3) && !HasFailure(); ++seed) {
    StructuredProgram source = StructuredProgram::random(seed);
    if (source.statements() > 60)
      continue; // it takes long to compile
    ++tried;
    MachineConfig config = configFor(seed);
    config.timing.model = config.constants.model = 0;
    config.stack.model = seed % 2 ? MachineConfig::Stack::Chip : MachineConfig::Stack::Cache;
    std::mt19937 random(seed);
    for (Observer::Interests kinds :
         {told, told & ~Observer::Counts, Observer::Memory | Observer::Life,
          Observer::Stack | Observer::Counts, Observer::Divergence | Observer::Atomics,
          Observer::GenericMemory | Observer::Barriers, Observer::Interests(random()) & told}) {
      std::vector<std::vector<Line>> logs;
      for (const char *tier : {"interpreter", "compiled"}) {
        TierScope scope(tier);
        LaneMask failed = 0;
        logs.push_back(logOf(source, config, kinds, failed));
      }
      for (const Line &line : logs[0])
        ++met[line.kind];
      ASSERT_EQ(logs[1], logs[0]) << "seed " << seed << ", kinds " << kinds;
    }
  }
  for (Observer::Interests kind :
       {Observer::Memory, Observer::Atomics, Observer::GenericMemory, Observer::Divergence, Observer::Stack,
        Observer::Counts, Observer::Locks, Observer::Barriers})
    EXPECT_GT(met[kind], 20u) << "events of kind " << kind << " hardly ever come";
}

// Only instructions and counts change how operations run, and fences theirs.
TEST(Observers, OfMemoryLeaveAllOperationsAsTheyAre) {
  Launched it(StructuredProgram::random(1));
  auto handlers = [&] {
    std::vector<Handler> result;
    for (size_t i = 0; i < it.run->grid()->size(); ++i)
      result.push_back(it.run->grid()->opAt(i)->fn);
    return result;
  };
  std::vector<Handler> before = handlers();
  Log log(Observer::everything & ~(Observer::Counts | Observer::eachInstruction | Observer::Fences));
  it.run->addObserver(log);
  EXPECT_FALSE(it.run->grid()->wants(Observer::eachInstruction | Observer::Counts));
  EXPECT_EQ(handlers(), before);
  Log fences(Observer::Fences);
  it.run->addObserver(fences);
  EXPECT_NE(handlers(), before);
  it.run->removeObserver(fences);
  EXPECT_EQ(handlers(), before);
}

TEST(Observers, HearOfTheHostOnceAndBeforeAMachineIsThere) {
  Log log(Observer::Host);
  TestMachine machine;
  machine.device.addObserver(log);
  u64 buffer = machine.buffer(12);
  const Program code = assembled("EXIT");
  Machine &run = machine.launch(code, {1}, {32});
  run.addObserver(log);
  machine.setWords(buffer, {1, 2});
  EXPECT_TRUE(llvm::errorToBool(machine.device.memory().write(buffer + 8, std::vector<u8>(5))));
  machine.run.reset();
  machine.words(buffer, 1);
  machine.device.removeObserver(log);
  machine.words(buffer, 2);
  std::vector<Line> expected = {
      {Observer::Host, llvm::formatv("host {0} {1} 12", unsigned(HostEvent::Allocates), buffer)},
      {Observer::Host, llvm::formatv("host {0} {1} 8", unsigned(HostEvent::Writes), buffer)},
      {Observer::Host, llvm::formatv("host {0} {1} 4", unsigned(HostEvent::Reads), buffer)}};
  EXPECT_EQ(log.lines, expected);
}

TEST(Observers, HearOfTheEndOfACtaThatAFaultEnds) {
  Executable executable = cantFail(loadProgramText(R"(
.kernel deep
again:
  CAL again
.endkernel
)",
                                                   "<test>", {}, llvm::nulls()));
  Program code = predecode(executable.code(), widest());
  TestMachine machine;
  Log log(Observer::Life);
  Machine &run = machine.launch(code, {1}, {64});
  run.addObserver(log);
  run.run();
  EXPECT_EQ(std::count(log.lines.begin(), log.lines.end(), Line{Observer::Life, "cta ends 0"}), 1);
}

//===--- Tools and snapshots ----------------------------------------------===//

TEST(Observers, GoBackInTimeWithTheMachine) {
  unsigned tried = 0;
  for (u32 seed = 1; tried < effort(20); ++seed) {
    std::mt19937 random(seed);
    Launched it(StructuredProgram::random(seed), configFor(seed));
    Machine &run = *it.run;
    run.start();
    BytesBySpace bytes, late;
    Statistics statistics;
    run.addObserver(bytes);
    run.grid()->addObserver(statistics);
    struct Moment {
      std::unique_ptr<Snapshot> snapshot;
      std::array<u64, 4> bytes;
      u64 instructions, pushes;
    };
    std::vector<Moment> moments;
    do
      moments.push_back({run.snapshot(nullptr, std::make_shared<u64>(0)), bytes.bytes,
                         statistics.warpInstructions, statistics.stack.pushed()});
    while (run.run(1 + random() % 200).reason == StopReason::Budget && moments.size() < 50);
    if (moments.size() < 5)
      continue;
    ++tried;
    while (run.run().reason == StopReason::Budget)
      ;
    std::array<u64, 4> end = bytes.bytes;
    Statistics atEnd = statistics;
    late.bytes = {7, 7, 7, 7}; // it is of no snapshot
    run.addObserver(late);
    for (unsigned i = 0; i < 4; ++i) {
      size_t to = random() % moments.size();
      run.restore(*moments[to].snapshot);
      ASSERT_EQ(bytes.bytes, moments[to].bytes) << "seed " << seed;
      ASSERT_EQ(statistics.warpInstructions, moments[to].instructions);
      ASSERT_EQ(statistics.stack.pushed(), moments[to].pushes);
      ASSERT_EQ(late.bytes, (std::array<u64, 4>{7, 7, 7, 7}));
      run.run();
      ASSERT_EQ(bytes.bytes, end);
      ASSERT_EQ(statistics.bySemantic, atEnd.bySemantic);
      ASSERT_EQ(statistics.stackByWord, atEnd.stackByWord);
      for (size_t space = 0; space < 4; ++space)
        ASSERT_EQ(late.bytes[space], end[space] - moments[to].bytes[space] + 7);
    }
  }
}
