// What going back costs on a large grid is counted in work, not in seconds: the past is executed again a few
// times over, and the whole machine is copied a few times, however long the warp has stood still.
#include "dbg/SessionFile.h"
#include "emu/sm/Cta.h"
#include "runtime/Prepared.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>

namespace leno::dbg {
namespace {

/// Each of 64 CTAs, one an SM, counts for long turns; the others have theirs meanwhile.
class StepBackCost : public testing::Test {
protected:
  static constexpr unsigned ctas = 64;
  static constexpr u64 turn = 50'000;
  /// How far checkpoints are apart follows what a copy costs on this host, so that copies differ from run to
  /// run: 83 were seen. One for each 16,384 ticks of the search, the shortest distance, would be 190 and
  /// more.
  static constexpr u64 mostCopies = 140;

  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("leno-back", folder));
    std::string path = folder.str().str() + "/count.s";
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << R"(
        .kernel count
        MOV   R1, 0;
loop:
        IADD  R1, R1, 1;
        BRA   loop;
never:
        EXIT;
        .endkernel
)";
    runtime::LaunchOptions options;
    options.grid = {ctas, 1, 1};
    options.block = {32, 1, 1};
    options.machineSettings = {"sm.count=64", "scheduler.quantum=" + std::to_string(turn)};
    options.maximumInstructions = 2 * ctas * turn + 10; // in the third turn of CTA 0
    options.file = path;
    auto launch = runtime::Prepared::create(options, llvm::nulls());
    ASSERT_TRUE(bool(launch)) << toString(launch.takeError());
    session = std::make_unique<Session>(std::move(*launch));
    auto stop = session->run();
    ASSERT_TRUE(bool(stop)) << toString(stop.takeError());
    ASSERT_EQ(stop->kind, StopEvent::Trapped);
    EXPECT_EQ(session->focus().position().cta.x, 0u);
    stop = session->reverseInstructions(1, false); // before the trap
    ASSERT_TRUE(bool(stop)) << toString(stop.takeError());
    ASSERT_EQ(session->timeline().now(), 2 * ctas * turn + 10);
    before = session->timeline().work();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  u64 copies() const {
    const Timeline::Work &now = session->timeline().work();
    return now.snapshots + now.restores - before.snapshots - before.restores;
  }
  u64 executedAgain() const { return session->timeline().work().ticks - before.ticks; }

  llvm::SmallString<64> folder;
  std::unique_ptr<Session> session;
  Timeline::Work before;
};

TEST_F(StepBackCost, AWarpThatHasWaitedForTheOthersTurns) {
  // CTA 1 had its second turn after CTA 0's: 62 turns of others, 3.1 million ticks, came since.
  ASSERT_FALSE(bool(session->focus().set({1, 0, 0}, 0, 0)));
  u64 executed = session->focus().warp()->instructions;
  EXPECT_EQ(executed, 2 * turn);
  auto stop = session->reverseInstructions(1, false);
  ASSERT_TRUE(bool(stop)) << toString(stop.takeError());
  EXPECT_EQ(session->timeline().now(), (ctas + 2) * turn - 1);
  EXPECT_EQ(session->focus().warp()->instructions, executed - 1);
  EXPECT_LE(copies(), mostCopies);
  EXPECT_LE(executedAgain(), 6 * 2 * ctas * turn);
}

TEST_F(StepBackCost, AnotherStepOfThatWarpIsCheap) {
  ASSERT_FALSE(bool(session->focus().set({1, 0, 0}, 0, 0)));
  ASSERT_TRUE(bool(session->reverseInstructions(1, false)));
  before = session->timeline().work();
  for (unsigned i = 0; i < 10; ++i)
    ASSERT_TRUE(bool(session->reverseInstructions(1, false)));
  EXPECT_EQ(session->timeline().now(), (ctas + 2) * turn - 11);
  EXPECT_LE(copies(), mostCopies);
}

TEST_F(StepBackCost, AllTheWayBackToTheStart) {
  Location location;
  location.addresses = {*session->code().names().symbol("never")};
  session->stops().breakpoints().add(std::move(location), false, nullptr);
  session->stops().arm();
  auto stop = session->reverseContinue();
  ASSERT_TRUE(bool(stop)) << toString(stop.takeError());
  EXPECT_EQ(stop->kind, StopEvent::HistoryStart);
  EXPECT_LE(copies(), mostCopies);
  EXPECT_LE(executedAgain(), 6 * 2 * ctas * turn);
}

// The past that was gone back over stands ahead, and needs not be executed again. The first half of the way
// is one copy at least.
TEST_F(StepBackCost, WhereItHasBeenItGoesByALeap) {
  const u64 ahead = (2 * ctas - 1) * turn;
  auto go = [&](u64 tick) {
    auto stop = session->goToTick(tick);
    ASSERT_TRUE(bool(stop)) << toString(stop.takeError());
    ASSERT_EQ(session->timeline().now(), tick);
  };
  go(ahead);
  u64 hash = stateHash(session->prepared().run());
  before = session->timeline().work();
  go(turn);
  u64 early = stateHash(session->prepared().run());
  EXPECT_NE(early, hash);
  EXPECT_EQ(session->timeline().work().leapt, 0u);
  go(ahead);
  EXPECT_GE(session->timeline().work().leapt, ctas * turn - turn);
  EXPECT_EQ(stateHash(session->prepared().run()), hash);
  // And again, by another stop on the way.
  go(turn);
  EXPECT_EQ(stateHash(session->prepared().run()), early);
  go(ctas * turn);
  go(ahead);
  EXPECT_EQ(stateHash(session->prepared().run()), hash);
}

TEST_F(StepBackCost, NoLeapGoesPastABreakpoint) {
  auto back = session->goToTick(turn);
  ASSERT_TRUE(bool(back)) << toString(back.takeError());
  Location location;
  location.addresses = {*session->code().names().symbol("loop")};
  session->stops().breakpoints().add(std::move(location), false, nullptr);
  session->stops().arm();
  auto stop = session->goToTick(2 * ctas * turn);
  ASSERT_TRUE(bool(stop)) << toString(stop.takeError());
  EXPECT_EQ(stop->kind, StopEvent::Breakpoint);
  EXPECT_LE(session->timeline().now(), turn + 2);
  EXPECT_EQ(session->timeline().work().leapt, 0u);
}

TEST_F(StepBackCost, WhatTheUserDoesLeadsElsewhere) {
  for (bool steps : {true, false}) {
    auto back = session->goToTick(turn);
    ASSERT_TRUE(bool(back)) << toString(back.takeError());
    u64 leapt = session->timeline().work().leapt;
    if (steps) {
      ASSERT_FALSE(bool(session->focus().set({3, 0, 0}, 0, 0)));
      session->stepInstructions(1, false);
    } else {
      ASSERT_TRUE(session->focus().warp());
      Change change{WarpPosition::of(*session->focus().warp()), Change::Register, 0, 1, 77};
      session->timeline().perform(change);
    }
    auto on = session->goToTick(2 * ctas * turn);
    ASSERT_TRUE(bool(on)) << toString(on.takeError());
    EXPECT_EQ(session->timeline().work().leapt, leapt);
  }
}

TEST_F(StepBackCost, AWarpThatHasExecutedNothing) {
  auto start = session->start();
  ASSERT_TRUE(bool(start)) << toString(start.takeError());
  session->stepInstructions(100'000, false);
  before = session->timeline().work();
  ASSERT_FALSE(bool(session->focus().set({5, 0, 0}, 0, 0)));
  auto stop = session->reverseInstructions(1, false);
  EXPECT_FALSE(bool(stop));
  EXPECT_NE(toString(stop.takeError()).find("has executed nothing"), std::string::npos);
  EXPECT_EQ(session->timeline().now(), 100'000u);
  EXPECT_LE(copies(), mostCopies);
}

} // namespace
} // namespace leno::dbg
