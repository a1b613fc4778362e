// As many steps back as forward end where they began, in every bit.
#include "dbg/Session.h"
#include "emu/observe/Statistics.h"
#include "emu/sm/Cta.h"
#include "runtime/Prepared.h"
#include "test/unit/Effort.h"
#include "test/unit/emu/MachineHash.h"
#include "test/unit/emu/StructuredProgram.h"
#include "llvm/Support/FileSystem.h"
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace leno::dbg {
namespace {

using test::MachineHash;
using test::StructuredProgram;

class Reverse : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("leno-reverse", folder)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder); }

  std::string write(llvm::StringRef name, llvm::StringRef bytes) {
    std::string path = (folder.str() + "/" + name).str();
    std::error_code code;
    llvm::raw_fd_ostream(path, code) << bytes;
    return path;
  }

  /// A random program over several CTAs, on a machine of a random kind.
  void open(u32 seed) {
    StructuredProgram program = StructuredProgram::random(seed);
    std::vector<u32> table = program.table();
    std::mt19937 random(seed);
    runtime::LaunchOptions options;
    options.grid = {1 + seed % 4, 1, 1};
    options.block = {program.threads, 1, 1};
    options.arguments = {
        "in:" + write("table.bin", {reinterpret_cast<const char *>(table.data()), table.size() * 4}),
        "out:u32[" + std::to_string(program.threads * test::laneWords) + "]:" + folder.str().str() +
            "/out.bin"};
    static constexpr const char *models[] = {"chip", "cache", "memory"};
    options.machineSettings = {std::string("stack.model=") + models[random() % 3],
                               "stack.entries=6",
                               "stack.moveEntries=2",
                               "sm.count=2",
                               "sm.ctas=1",
                               "scheduler.quantum=" + std::to_string(1 + random() % 40)};
    static constexpr const char *clock[] = {"timing.model=cycles", "icache.model=cache", "icache.bytes=512",
                                            "l15.model=cache"};
    for (const char *setting : llvm::ArrayRef(clock).take_front(random() % 5))
      options.machineSettings.push_back(setting);
    if (options.machineSettings.size() > 6 && random() % 2)
      for (const char *setting : {"units.model=scoreboard", "units.int.latency=5", "units.memory.interval=3"})
        options.machineSettings.push_back(setting);
    options.maximumInstructions = 50'000'000;
    options.file = write("test.s", program.assembly());
    auto launch = runtime::Prepared::create(options, llvm::nulls());
    ASSERT_TRUE(bool(launch)) << toString(launch.takeError());
    session = std::make_unique<Session>(std::move(*launch));
  }
  u64 hash() { return MachineHash::of(session->focus().grid()); }

  llvm::SmallString<64> folder;
  std::unique_ptr<Session> session;
};

TEST_F(Reverse, StepsForwardAndBackRestoreEverything) {
  unsigned stops = 0;
  for (u32 seed = 1; stops < test::effort(1000); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    llvm::cantFail(session->start());
    // How long it is.
    session->resume();
    ASSERT_EQ(session->state(), SessionState::Finished) << "seed " << seed;
    u64 length = session->focus().grid().instructions();
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 20; ++i) {
      llvm::cantFail(session->start());
      session->timeline().run(random() % length);
      // Any warp that runs now, wherever it stands.
      std::vector<Cta *> ctas = session->focus().grid().residentCtas();
      Cta &cta = *ctas[random() % ctas.size()];
      llvm::cantFail(session->focus().set(cta.index(), random() % unsigned(cta.warps().size()), 0));
      session->setStepping(random() % 2 ? Stepping::AllWarps : Stepping::FocusedWarp);
      LanePosition focus = session->focus().position();
      u64 before = hash(), tick = session->timeline().now();
      unsigned count = 1 + random() % 60, made = 0;
      while (made < count && session->state() == SessionState::Stopped) {
        u64 from = session->timeline().now();
        StopEvent event = session->stepInstructions(1, false);
        if (session->state() == SessionState::Stopped && session->timeline().now() == from)
          break; // it waits for a warp that cannot move
        made += session->state() == SessionState::Stopped;
        (void)event;
      }
      if (session->state() != SessionState::Stopped || made == 0)
        continue;
      ++stops;
      auto back = session->reverseInstructions(made, false);
      ASSERT_TRUE(bool(back)) << "seed " << seed << ": " << toString(back.takeError());
      ASSERT_EQ(session->timeline().now(), tick)
          << "seed " << seed << ", stop " << i << ", " << made << " steps";
      ASSERT_EQ(hash(), before) << "seed " << seed << ", stop " << i << ", " << made << " steps";
      EXPECT_EQ(session->focus().position().cta, focus.cta);
      EXPECT_EQ(session->focus().position().warp, focus.warp);
    }
  }
}

TEST_F(Reverse, EveryInstructionToTheEndAndBack) {
  for (u32 seed : {3u, 8u, 21u}) {
    open(seed);
    if (HasFatalFailure())
      return;
    llvm::cantFail(session->start());
    std::vector<u64> hashes;
    while (session->state() == SessionState::Stopped && hashes.size() < 3000) {
      hashes.push_back(hash());
      session->setStepping(hashes.size() % 3 ? Stepping::FocusedWarp : Stepping::AllWarps);
      session->stepInstructions(1, false);
    }
    if (session->state() == SessionState::Finished)
      llvm::cantFail(session->reverseInstructions(1, false));
    else
      hashes.push_back(hash());
    for (size_t i = hashes.size(); i-- > 0;) {
      ASSERT_EQ(hash(), hashes[i]) << "seed " << seed << ", step " << i;
      if (i > 0)
        llvm::cantFail(session->reverseInstructions(1, false));
    }
    EXPECT_EQ(session->timeline().now(), 0u);
  }
}

TEST_F(Reverse, GoingBackAndOnAgainEndsAsBefore) {
  for (u32 seed = 1; seed <= test::effort(20); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    llvm::cantFail(session->start());
    session->resume();
    u64 end = hash(), length = session->timeline().now();
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 5; ++i) {
      session->goTo(random() % length);
      session->resume();
      ASSERT_EQ(session->state(), SessionState::Finished);
      ASSERT_EQ(hash(), end) << "seed " << seed;
    }
  }
}

/// Turns that stop at breakpoints, steps of any warp and changes, one after the other and by chance.
class RandomUser {
public:
  RandomUser(Session &session, u32 seed) : session(session), random(seed) {}
  unsigned breakpointStops = 0;

  /// False: the grid has ended.
  bool act() {
    Timeline &history = session.timeline();
    switch (random() % 4) {
    case 0:
      toggleBreakpoint();
      [[fallthrough]];
    case 1: {
      Stop stop = history.run(1 + random() % 300);
      if (stop.reason == StopReason::Breakpoint) {
        stop.warp->stepOver = true; // it has been told
        ++breakpointStops;
      }
      return stop.reason == StopReason::Breakpoint || stop.reason == StopReason::Budget;
    }
    case 2:
      if (Warp *warp = someWarp())
        return history.step(*warp).reason != StopReason::Trapped;
      return true;
    default:
      if (Warp *warp = someWarp()) // a flag, which no address and no loop depends on
        history.perform({WarpPosition::of(*warp), Change::FlagBits, 0, unsigned(Flag::Sign), u32(random())});
      return true;
    }
  }

private:
  void toggleBreakpoint() {
    u64 pc = random() % session.focus().grid().size();
    bool &isSet = breakpoints[pc];
    isSet = session.focus().grid().setBreakpoint(pc * 8, !isSet) && !isSet;
  }
  Warp *someWarp() {
    std::vector<Warp *> warps;
    for (Cta *cta : session.focus().grid().residentCtas())
      for (Warp *warp : cta->warps())
        if (warp->status == WarpStatus::Ready && !cta->finished())
          warps.push_back(warp);
    return warps.empty() ? nullptr : warps[random() % warps.size()];
  }

  Session &session;
  std::mt19937 random;
  std::map<u64, bool> breakpoints;
};

TEST_F(Reverse, WhateverTheUserDidEachMomentComesAgain) {
  unsigned moments = 0, breakpointStops = 0, replacements = 0;
  for (u32 seed = 1; moments < test::effort(2000); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    llvm::cantFail(session->start());
    RandomUser user(*session, seed);
    std::map<u64, u64> hashes = {{0, hash()}}; ///< by tick
    while (hashes.size() < 200 && user.act()) {
      u64 now = hash();
      auto [known, isNew] = hashes.try_emplace(session->timeline().now(), now);
      ASSERT_EQ(known->second, now) << "seed " << seed << ", nothing has happened at tick " << known->first;
    }
    breakpointStops += user.breakpointStops;
    replacements += session->prepared().run().ticks() != session->focus().grid().instructions();
    for (; !hashes.empty(); hashes.erase(std::prev(hashes.end()))) {
      auto [tick, before] = *std::prev(hashes.end());
      session->timeline().goTo(tick);
      ASSERT_EQ(hash(), before) << "seed " << seed << ", tick " << tick;
      ++moments;
    }
  }
  EXPECT_GT(breakpointStops, moments / 10);
  EXPECT_GT(replacements, 0u);
}

// A tool of the user's goes back with the machine, and an excursion into the past teaches it nothing.
TEST_F(Reverse, WhoObservesKnowsNoMoreThanHasHappened) {
  u64 asked = 0;
  for (u32 seed = 1; asked < test::effort(200); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    llvm::cantFail(session->start());
    Statistics statistics;
    session->prepared().run().addObserver(statistics);
    session->resume();
    ASSERT_EQ(session->state(), SessionState::Finished) << "seed " << seed;
    Statistics atEnd = statistics;
    u64 length = session->timeline().now();
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 10; ++i, ++asked) {
      session->timeline().goTo(random() % session->timeline().now());
      ASSERT_EQ(statistics.warpInstructions, session->focus().grid().instructions()) << "seed " << seed;
      std::vector<Cta *> ctas = session->focus().grid().residentCtas();
      llvm::cantFail(session->focus().set(ctas.front()->index(), 0, 0));
      ASSERT_TRUE(bool(session->whoWrote({.kind = Place::Register, .number = 1, .lanes = 1})));
      ASSERT_EQ(statistics.warpInstructions, session->focus().grid().instructions()) << "seed " << seed;
      session->timeline().run(length);
      ASSERT_EQ(statistics.warpInstructions, session->focus().grid().instructions()) << "seed " << seed;
    }
    while (session->timeline().run(length).reason == StopReason::Budget)
      ;
    EXPECT_EQ(statistics.bySemantic, atEnd.bySemantic);
    EXPECT_EQ(statistics.stackByWord, atEnd.stackByWord);
  }
}

/// Of one register of one lane, every instruction that wrote it, by the fields of the predecoded operation.
class Trace : public Observer {
public:
  Trace(Dim3 cta, unsigned warp, unsigned reg, unsigned lane) : cta(cta), warp(warp), reg(reg), lane(lane) {}
  u64 moments = 0;
  std::optional<u64> last;

  void instruction(const Warp &w, const Op &op, LaneMask lanes) override {
    if (!(w.cta().index() == cta) || w.index() != warp)
      return;
    before = w.readRegister(reg, lane);
    // A store has what it stores there.
    bool stores =
        op.semantic == Semantic::STG || op.semantic == Semantic::STL || op.semantic == Semantic::STS;
    writes = !stores && op.inner && op.d == s32(reg * rowBytes) && (lanes >> lane & 1) && isData(op.semantic);
  }
  void instructionDone(const Warp &w, const Op &op, LaneMask) override {
    if (w.cta().index() == cta && w.index() == warp && (writes || w.readRegister(reg, lane) != before))
      last = moments;
    ++moments;
  }
  void tickPassed() override { ++moments; }

private:
  static bool isData(Semantic s) {
    for (Semantic other :
         {Semantic::BRA,        Semantic::SSY,   Semantic::PBK,      Semantic::PCNT,    Semantic::CAL,
          Semantic::RET,        Semantic::BRK,   Semantic::CONT,     Semantic::EXIT,    Semantic::NOP,
          Semantic::ISETP,      Semantic::BRX,   Semantic::BAR_SYNC, Semantic::BAR_ARV, Semantic::BAR_RED_AND,
          Semantic::BAR_RED_OR, Semantic::PSETP, Semantic::R2P,      Semantic::KIL,     Semantic::PRET,
          Semantic::JMP,        Semantic::JMX,   Semantic::JCAL,     Semantic::CSETP,   Semantic::VOTE})
      if (s == other)
        return false;
    return true;
  }
  Dim3 cta;
  unsigned warp, reg, lane;
  u32 before = 0;
  bool writes = false;
};

TEST_F(Reverse, WhoWroteNamesWhatAFullTraceNames) {
  unsigned asked = 0, written = 0;
  for (u32 seed = 1; asked < test::effort(150); ++seed) {
    open(seed);
    if (HasFatalFailure())
      return;
    llvm::cantFail(session->start());
    session->resume();
    u64 length = session->focus().grid().instructions();
    std::mt19937 random(seed);
    for (unsigned i = 0; i < 5; ++i) {
      llvm::cantFail(session->start());
      u64 until = random() % length;
      session->timeline().run(until);
      std::vector<Cta *> ctas = session->focus().grid().residentCtas();
      Cta &cta = *ctas[random() % ctas.size()];
      Dim3 index = cta.index();
      unsigned warp = random() % unsigned(cta.warps().size()), lane = random() % laneCount;
      unsigned reg = random() % cta.warps()[warp]->registers();
      llvm::cantFail(session->focus().set(index, warp, lane));
      Place place{.kind = Place::Register, .number = reg, .lanes = LaneMask(1) << lane};
      u64 before = hash();
      auto writer = session->whoWrote(place);
      ASSERT_TRUE(bool(writer));
      EXPECT_EQ(hash(), before) << "asking changed the machine";
      Trace trace(index, warp, reg, lane);
      llvm::cantFail(session->start());
      session->prepared().run().addObserver(trace);
      session->prepared().run().run(until);
      session->prepared().run().removeObserver(trace);
      ASSERT_EQ(writer->has_value(), trace.last.has_value())
          << "seed " << seed << " R" << reg << "[" << lane << "]";
      if (trace.last) {
        EXPECT_EQ((*writer)->tick, *trace.last) << "seed " << seed << " R" << reg << "[" << lane << "]";
      }
      ++asked;
      written += trace.last.has_value();
    }
  }
  EXPECT_GT(written, asked / 3);
}

} // namespace
} // namespace leno::dbg
