// A session of several contexts: time travel over SMs that change hands.
#include "dbg/Interpreter.h"
#include "emu/sm/Cta.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/MachineHash.h"
#include "test/unit/emu/StructuredProgram.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <random>

namespace leno::dbg {
namespace {

using test::MachineHash;
using test::StructuredProgram;

class ContextSession : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("leno-contexts", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  void write(llvm::StringRef name, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream((folder.str() + "/" + name).str(), code) << bytes;
  }

  /// A launch of a random program, as the file has it.
  std::string launch(std::string name, u32 seed, unsigned ctas, bool overlap = false) {
    StructuredProgram program = StructuredProgram::random(seed);
    std::vector<u32> table = program.table();
    write(name + ".bin", {reinterpret_cast<const char *>(table.data()), table.size() * 4});
    write(name + ".s", program.assembly());
    return std::string(overlap ? "{ overlap: true, " : "{ ") + "launch: " + name +
           ".s, grid: " + std::to_string(ctas) + ", block: " + std::to_string(program.threads) +
           ", args: ['in:" + name + ".bin', 'out:u32[" + std::to_string(program.threads * test::laneWords) +
           "]:" + name + std::to_string(launches++) + "out.bin'] }";
  }

  /// Two contexts whose SMs change hands, on a machine of a random kind.
  void open(u32 seed) {
    session.reset();
    std::mt19937 random(seed);
    std::string text =
        "machine:\n  sm.count: 2\n  sm.ctas: 1\n  stack.model: cache\n  device.launchCycles: 20\n";
    text += random() % 2 ? "  timing.model: cycles\n  icache.model: cache\n  icache.bytes: 512\n"
                         : "  timing.model: off\n";
    text += "  scheduler.quantum: " + std::to_string(1 + random() % 40) + "\n";
    text += std::string("  contexts.allocation: ") + (random() % 2 ? "dynamic" : "one") + "\n";
    text += "  contexts.timeSlice: " + std::to_string(100 + random() % 500) + "\n  contexts.window: 200\n";
    text += "contexts:\n  - name: long\n    stream:\n      - " + launch("a", seed, 3) + "\n      - " +
            launch("b", seed + 1000, 2, random() % 2) + "\n";
    text += "  - name: urgent\n    priority: 1\n    stream:\n      - not-before: " +
            std::to_string(50 + random() % 1500) + "\n      - " + launch("c", seed + 2000, 2) + "\n";
    write("contexts.yaml", text);
    runtime::LaunchOptions options;
    options.contexts = (folder.str() + "/contexts.yaml").str();
    auto contexts = runtime::Prepared::create(options, llvm::nulls());
    ASSERT_TRUE(bool(contexts)) << toString(contexts.takeError());
    session = std::make_unique<Session>(std::move(*contexts));
  }

  Machine &device() { return session->prepared().run(); }

  u64 hash() {
    u64 value = 0xcbf29ce484222325;
    auto add = [&](auto... words) { ((value = (value ^ u64(words)) * 0x100000001b3), ...); };
    add(device().ticks(), device().cycle());
    for (const Machine::Slot &slot : device().places())
      add(slot.state, slot.busyUntil, slot.owner ? slot.owner->id() : 9, slot.holder ? slot.holder->id() : 9);
    for (const auto &context : device().contexts()) {
      const ContextCounts &c = context->counts();
      add(c.instructions, c.runCycles, c.blockedCycles, c.saves, c.restores, c.savedBytes,
          context->pushbuffer().size(), context->storage().bytes(), context->launches().size());
      for (const auto &[base, allocation] : context->memory().allocations())
        for (u64 i = 0; i < allocation.window.size; ++i)
          add(allocation.window.host[i]);
      for (const GridInFlight &grid : context->grids())
        if (context->storage().empty())
          add(MachineHash::of(*grid.run));
    }
    return value;
  }

  /// Any warp on an SM. False: there is none.
  bool focusAnywhere(std::mt19937 &random) {
    std::vector<Warp *> warps;
    for (const auto &context : device().contexts())
      for (const GridInFlight &grid : context->grids())
        for (Cta *cta : grid.run->residentCtas())
          for (Warp *warp : cta->warps())
            if (device().isOnChip(*warp) && !cta->finished())
              warps.push_back(warp);
    if (warps.empty())
      return false;
    Warp &warp = *warps[random() % warps.size()];
    llvm::cantFail(session->focus().setContext(warp.grid().device().contextId()));
    session->focus().setLaunch(warp.grid());
    llvm::cantFail(session->focus().set(warp.cta().index(), warp.index(), 0));
    return true;
  }

  llvm::SmallString<64> folder;
  std::unique_ptr<Session> session;
  unsigned launches = 0;
};

TEST_F(ContextSession, StepsForwardAndBackRestoreEverything) {
  unsigned stops = 0, saves = 0, restores = 0;
  for (u32 seed = 1; stops < test::effort(150); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    llvm::cantFail(session->run());
    ASSERT_EQ(session->state(), SessionState::Finished) << "seed " << seed;
    u64 length = session->timeline().now();
    saves += device().contexts()[0]->counts().saves > 0;
    restores += device().contexts()[0]->counts().restores > 0;
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 8; ++i) {
      llvm::cantFail(session->start());
      session->timeline().run(random() % length);
      if (!focusAnywhere(random))
        continue;
      session->setStepping(random() % 2 ? Stepping::AllWarps : Stepping::FocusedWarp);
      LanePosition focus = session->focus().position();
      u64 before = hash(), tick = session->timeline().now();
      unsigned count = 1 + random() % 60, made = 0;
      while (made < count && session->state() == SessionState::Stopped && session->focus().warp()) {
        u64 from = session->timeline().now();
        session->stepInstructions(1, false);
        if (session->state() != SessionState::Stopped || session->timeline().now() == from)
          break; // it waits for a warp that cannot move
        ++made;
      }
      if (session->state() != SessionState::Stopped || made == 0)
        continue;
      ++stops;
      auto back = session->reverseInstructions(made, false);
      ASSERT_TRUE(bool(back)) << "seed " << seed << ": " << toString(back.takeError());
      ASSERT_EQ(session->timeline().now(), tick)
          << "seed " << seed << ", stop " << i << ", " << made << " steps";
      ASSERT_EQ(hash(), before) << "seed " << seed << ", stop " << i << ", " << made << " steps";
      EXPECT_EQ(session->focus().position().context, focus.context);
      EXPECT_EQ(session->focus().position().launch, focus.launch);
      EXPECT_EQ(session->focus().position().cta, focus.cta);
      EXPECT_EQ(session->focus().position().warp, focus.warp);
    }
  }
  EXPECT_GT(saves, 3u);
  EXPECT_GT(restores, 3u);
}

TEST_F(ContextSession, GoingBackAndOnAgainEndsAsBefore) {
  for (u32 seed = 1; seed <= test::effort(12); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    llvm::cantFail(session->run());
    u64 end = hash(), length = session->timeline().now();
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 4; ++i) {
      session->goTo(random() % length);
      session->resume();
      ASSERT_EQ(session->state(), SessionState::Finished);
      ASSERT_EQ(hash(), end) << "seed " << seed;
    }
  }
}

// A stop at a breakpoint is between two ticks; what was done from there is done again from there.
TEST_F(ContextSession, ThePastWithStopsAndStepsHappensAgain) {
  unsigned compared = 0;
  for (u32 seed = 1; seed <= test::effort(12); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    std::mt19937 random(seed);
    Breakpoint point;
    point.location.addresses = {session->focus().kernel().entry + 8 * (2 + random() % 20)};
    point.program = &session->focus().executable();
    point.context = session->focus().position().context;
    session->stops().breakpoints().add(point);
    session->stops().arm();
    llvm::cantFail(session->run());
    for (unsigned i = 0; i < 40 && session->state() == SessionState::Stopped; ++i) {
      session->setStepping(random() % 2 ? Stepping::AllWarps : Stepping::FocusedWarp);
      if (random() % 3 && focusAnywhere(random)) {
        u64 from = session->timeline().now();
        session->stepInstructions(1 + random() % 8, false);
        if (session->state() != SessionState::Stopped || session->timeline().now() == from ||
            session->lastStop()->kind != StopEvent::Step || session->stepping() != Stepping::FocusedWarp)
          continue;
        u64 before = hash();
        session->goTo(session->timeline().now());
        ASSERT_EQ(hash(), before) << "seed " << seed << ", move " << i;
        ++compared;
      } else
        session->resume();
    }
  }
  EXPECT_GT(compared, 30u);
}

TEST_F(ContextSession, SwitchesAreCaughtForwardsAndBackwards) {
  unsigned all = 0;
  for (u32 seed = 1; seed <= test::effort(6); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    for (Caught event : {Caught::ContextSwitch, Caught::GridEnd, Caught::GridStart}) {
      Breakpoint point;
      point.kind = Breakpoint::Catch;
      point.caught = event;
      session->stops().breakpoints().add(point);
    }
    using Stops = std::vector<std::pair<u64, std::vector<std::string>>>;
    Stops forward, backward;
    for (StopEvent event = llvm::cantFail(session->run()); session->state() == SessionState::Stopped;
         event = session->resume()) {
      ASSERT_EQ(event.kind, StopEvent::Watch);
      forward.push_back({session->timeline().now(), event.details});
    }
    for (;;) {
      StopEvent event = llvm::cantFail(session->reverseContinue());
      if (event.kind != StopEvent::Watch)
        break;
      backward.push_back({session->timeline().now(), event.details});
    }
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward) << "seed " << seed;
    all += unsigned(forward.size());
  }
  EXPECT_GT(all, 30u);
}

TEST_F(ContextSession, TheExamplesOfItsCommandsRun) {
  open(3);
  std::string text;
  llvm::raw_string_ostream out(text);
  Interpreter interpreter(*session, out, out, false);
  ASSERT_TRUE(interpreter.execute("start")) << text;
  for (const Command *command : allCommands()) {
    if (command->name != "context" && command->name != "info contexts" && command->name != "info sms" &&
        command->name != "catch" && command->name != "info ctas" && command->name != "info warps")
      continue;
    std::string example = command->details.substr(command->details.rfind("(leno) ") + 7).str();
    EXPECT_TRUE(interpreter.execute(example)) << example << "\n" << text;
  }
  EXPECT_FALSE(interpreter.execute("context nobody"));
  EXPECT_TRUE(interpreter.execute("context urgent"));
}

} // namespace
} // namespace leno::dbg
