#include "emu/constants/CurrentInL2.h"
#include "emu/constants/DrainedStore.h"
#include "emu/constants/OldestInL2.h"
#include "gtest/gtest.h"

// S2's figures 3A, 3B and 6, step by step as their text tells them, with four SMs and one constant. The text
// has lost the numbers of the SMs and the first steps of each figure; what it says of the rest leaves one
// reading: SM 0 takes work first and holds the first version longest.
using namespace leno;
using Event = ConstantEvent;
using Events = std::vector<std::string>;

namespace {

class Log final : public ConstantListener {
public:
  Events take() { return std::exchange(texts, {}); }
  void constantEvent(const Event &e) override {
    auto n = [](u64 value) { return std::to_string(value); };
    auto sm = [&](unsigned number) { return "SM" + n(number); };
    switch (e.kind) {
    case Event::WorkGiven:
      return add("work " + sm(e.sm));
    case Event::WorkDone:
      return add("done " + sm(e.sm));
    case Event::ConstantToL1:
      return add("write v" + n(e.version) + " " + sm(e.sm));
    case Event::ConstantToL2:
      return add("write v" + n(e.version) + " L2");
    case Event::ConstantStored:
      return add("write store");
    case Event::CopiedToL1:
      return add("copy v" + n(e.version) + " " + sm(e.from) + "->" + sm(e.sm) + " x" + n(e.words));
    case Event::CopiedToL2:
      return add("copy v" + n(e.version) + " " + sm(e.from) + "->L2 x" + n(e.words));
    case Event::Coherent:
      return add("valid " + sm(e.sm));
    case Event::Aged:
      return add("tag " + sm(e.sm) + "=" + n(e.version));
    case Event::BackedUp:
      return add("backup tag=" + n(e.version));
    case Event::Invalidated:
      return add("invalidate " + sm(e.sm));
    case Event::Retired:
      return add("retire x" + n(e.words));
    default: // test/runtime/constants-figures.test
      return;
    }
  }

private:
  void add(std::string text) { texts.push_back(std::move(text)); }
  Events texts;
};

constexpr u32 constant = constantWord(1, 0);
constexpr u32 first = 111, second = 222, third = 333;

template <typename Protocol> struct Machine {
  Machine() : protocol(ConstantCacheConfig(), 4) {
    protocol.preset(constant, first);
    protocol.setListener(&log);
  }
  void write(u32 value) { EXPECT_EQ(protocol.constant(constant, value), ConstantProtocol::Wait::None); }
  u32 read(unsigned sm) { return protocol.read(sm, constant).value; }
  /// "work: 111 v1 coherent" of each SM, then the L2, the memory, the backup and the queue.
  Events state() {
    ConstantWordState state = protocol.stateOf(constant);
    auto n = [](u64 value) { return std::to_string(value); };
    auto copy = [&](const std::optional<ConstantWordState::Copy> &c) {
      return c ? n(c->value) + (c->marked ? " marked" : "") : "-";
    };
    Events all;
    for (const ConstantWordState::Sm &sm : state.sms)
      all.push_back(std::string(sm.active ? "work " : "") + copy(sm.copy) + " v" + n(sm.version) +
                    (sm.coherent ? " coherent" : ""));
    all.push_back("L2 " + copy(state.l2) + " v" + n(state.l2Version) + " of v" + n(state.current));
    all.push_back("memory " + n(state.memory));
    for (const ConstantWordState::Old &old : state.backup)
      all.push_back("tag " + n(old.tag) + ": " + n(old.value));
    for (u32 value : state.posted)
      all.push_back("posted " + n(value));
    return all;
  }
  Log log;
  Protocol protocol;
};
using MachineA = Machine<OldestInL2>;
using MachineB = Machine<CurrentInL2>;

} // namespace

TEST(ConstantFigure3A, TwoVersionsAtOnce) {
  MachineA m;
  m.protocol.work(0);
  EXPECT_EQ(m.log.take(), (Events{"work SM0"}));
  EXPECT_EQ(m.read(0), first);

  m.write(second);
  EXPECT_EQ(m.log.take(), (Events{"write v2 SM1", "write v2 SM2", "write v2 SM3"}));
  for (unsigned sm : {1, 2, 3}) {
    m.protocol.work(sm);
    EXPECT_EQ(m.read(sm), second) << "the current version";
    EXPECT_FALSE(m.protocol.isValid(sm)) << "L2 has the old version: SM 0 uses it";
    EXPECT_EQ(m.protocol.lockedWords(sm), 1u);
  }
  EXPECT_EQ(m.log.take(), (Events{"work SM1", "work SM2", "work SM3"}));
  EXPECT_EQ(m.read(0), first) << "work that runs keeps its version";
  EXPECT_EQ(m.protocol.l2Version(), 1u);

  m.protocol.done(0);
  EXPECT_EQ(m.log.take(), (Events{"done SM0", "copy v2 SM1->SM0 x1", "copy v2 SM1->L2 x1", "valid SM0",
                                  "valid SM1", "valid SM2", "valid SM3"}));
  EXPECT_EQ(m.read(0), second);
  for (unsigned sm : {0, 1, 2, 3})
    EXPECT_EQ(m.protocol.lockedWords(sm), 0u) << "moved to the L2";
}

TEST(ConstantFigure3B, MoreThanTwoVersionsAtOnce) {
  MachineA m;
  m.protocol.work(0);
  EXPECT_EQ(m.read(0), first);
  m.write(second);
  m.protocol.work(1);
  EXPECT_EQ(m.log.take(), (Events{"work SM0", "write v2 SM1", "write v2 SM2", "write v2 SM3", "work SM1"}));

  // "Controller outputs constant to L1 Caches in SM and SM. [They] store a third version of constants."
  m.write(third);
  EXPECT_EQ(m.log.take(), (Events{"write v3 SM2", "write v3 SM3"}));
  m.protocol.work(2);
  EXPECT_EQ(m.log.take(), (Events{"work SM2"}));
  EXPECT_EQ(m.read(0), first);
  EXPECT_EQ(m.read(1), second);
  EXPECT_EQ(m.read(2), third);
  EXPECT_EQ(m.protocol.l2Version(), 1u);
  // SM 0 had a miss: the line came through the L2. SM 1 took work before the third version, SM 3 has none.
  EXPECT_EQ(m.state(), (Events{"work 111 v1 coherent", "work 222 marked v2", "work 333 marked v3",
                               "333 marked v3", "L2 111 v1 of v3", "memory 111"}));

  // The first version is no longer used: the inactive SM and the L2 get the second; then, not being used,
  // that SM gets the third. "Only the L1 Cache in SM is coherent with L2", that of SM 1.
  m.protocol.done(0);
  EXPECT_EQ(m.log.take(), (Events{"done SM0", "copy v2 SM1->SM0 x1", "copy v2 SM1->L2 x1", "valid SM0",
                                  "valid SM1", "copy v3 SM2->SM0 x1"}));
  EXPECT_EQ(m.protocol.l2Version(), 2u);
  for (unsigned sm : {0, 2, 3}) {
    EXPECT_EQ(m.protocol.versionOf(sm), 3u);
    EXPECT_FALSE(m.protocol.isValid(sm));
  }
  EXPECT_TRUE(m.protocol.isValid(1));
  EXPECT_EQ(m.state(), (Events{"333 marked v3", "work 222 v2 coherent", "work 333 marked v3", "333 marked v3",
                               "L2 222 marked v2 of v3", "memory 111"}))
      << "the second version is in the L2, and locked nowhere";

  m.protocol.done(1);
  EXPECT_EQ(m.log.take(), (Events{"done SM1", "copy v3 SM2->SM1 x1", "copy v3 SM2->L2 x1", "valid SM0",
                                  "valid SM1", "valid SM2", "valid SM3"}))
      << "all of the L1 caches are coherent";
  for (unsigned sm : {0, 1, 2, 3})
    EXPECT_EQ(m.read(sm), third);
}

TEST(ConstantFigure6, CurrentVersionInL2) {
  MachineB m;
  m.protocol.work(0);
  EXPECT_EQ(m.read(0), first);
  EXPECT_EQ(m.log.take(), (Events{"work SM0"}));
  m.write(second);
  EXPECT_EQ(m.log.take(), (Events{"write v2 SM1", "write v2 SM2", "write v2 SM3"}));
  ASSERT_TRUE(m.protocol.takePosted());
  EXPECT_EQ(m.log.take(), (Events{"tag SM0=1", "backup tag=1", "write v2 L2"}))
      << "coherent with SM 1, 2 and 3, and not with SM 0";
  m.protocol.work(1);
  EXPECT_EQ(m.log.take(), (Events{"work SM1"}));

  // "L1 Caches in SM and SM store a third version." One of the two takes work and is done with it before the
  // L2 gets that version: it had the constants in its L1.
  m.write(third);
  EXPECT_EQ(m.log.take(), (Events{"write v3 SM2", "write v3 SM3"}));
  m.protocol.work(2);
  EXPECT_EQ(m.read(2), third);
  m.protocol.done(2);
  EXPECT_EQ(m.log.take(), (Events{"work SM2", "done SM2"}));
  ASSERT_TRUE(m.protocol.takePosted());
  EXPECT_EQ(m.log.take(), (Events{"tag SM0=2", "tag SM1=1", "backup tag=1", "write v3 L2"}))
      << "coherent with SM 2 and 3, and not with SM 0 and 1";
  EXPECT_EQ(m.protocol.backupWords(), 2u);
  EXPECT_EQ(m.read(0), first);
  EXPECT_EQ(m.read(1), second);
  EXPECT_EQ(m.state(), (Events{"work 111 v2", "work 222 v1", "333 v0", "333 v0", "L2 333 marked v0 of v0",
                               "memory 111", "tag 1: 222", "tag 2: 111"}));

  m.protocol.work(3);
  EXPECT_EQ(m.log.take(), (Events{"work SM3"}));
  m.protocol.done(0);
  EXPECT_EQ(m.log.take(), (Events{"done SM0", "invalidate SM0", "retire x1"})) << "the first version";
  EXPECT_EQ(m.protocol.tagOf(0), 0u) << "the third version's";
  m.protocol.done(3);
  EXPECT_EQ(m.log.take(), (Events{"done SM3"}));
  m.protocol.done(1);
  EXPECT_EQ(m.log.take(), (Events{"done SM1", "invalidate SM1", "retire x1"})) << "the second version";
  EXPECT_EQ(m.protocol.backupWords(), 0u);
  for (unsigned sm : {0, 1, 2, 3})
    EXPECT_EQ(m.read(sm), third);
}

// A miss in the version that an SM has: its tag goes with it.
TEST(ConstantFigure6, MissesCarryTheVersionTag) {
  MachineB m;
  m.protocol.work(0); // reads nothing yet: its L1 is empty
  m.write(second);
  ASSERT_TRUE(m.protocol.takePosted());
  m.protocol.work(1);
  m.write(third);
  m.write(third + 1); // the same sequence: one entry
  EXPECT_EQ(m.state(), (Events{"work - v1", "work 222 v0", "334 v0", "334 v0", "L2 222 marked v0 of v0",
                               "memory 111", "tag 1: 111", "posted 333", "posted 334"}));
  while (m.protocol.takePosted())
    ;
  EXPECT_EQ(m.protocol.backupWords(), 2u);
  EXPECT_EQ(m.protocol.tagOf(0), 2u);
  EXPECT_EQ(m.read(0), first);
  EXPECT_EQ(m.read(1), second);
  EXPECT_EQ(m.protocol.backupReads(), 1u) << "SM 1 got it with the constant command";
  m.protocol.work(2);
  EXPECT_EQ(m.read(2), third + 1);
}

TEST(ConstantBaseline, AnUpdateWaitsUntilNothingRuns) {
  DrainedStore store(2);
  store.preset(constant, first);
  store.work(0);
  EXPECT_EQ(store.constant(constant, second), ConstantProtocol::Wait::Drain);
  EXPECT_EQ(store.read(0, constant).value, first);
  store.done(0);
  EXPECT_EQ(store.constant(constant, second), ConstantProtocol::Wait::None);
  store.work(1);
  EXPECT_EQ(store.read(1, constant).value, second);
}

// S2: "If all locations within an L1 are locked and a constant should be replaced due to a cache miss in the
// L1, the SM stalls until the L1 can write the constant to L2".
TEST(ConstantLocks, AMissWithEveryLineLockedStallsUntilTheL2MovesUp) {
  ConstantCacheConfig config;
  config.l1 = {8, 4, 2}; // one set of two words
  OldestInL2 protocol(config, 2);
  u32 a = constantWord(1, 0), b = constantWord(1, 4), c = constantWord(1, 8);
  protocol.preset(c, 5);
  protocol.work(0);
  protocol.constant(a, 1);
  protocol.constant(b, 2);
  EXPECT_EQ(protocol.constant(c, 3), ConstantProtocol::Wait::Locked);
  protocol.work(1);
  EXPECT_EQ(protocol.read(1, a).value, 1u);
  EXPECT_EQ(protocol.read(1, c).source, ConstantProtocol::Source::Stalled);
  EXPECT_EQ(protocol.read(0, c).value, 5u) << "the SM with the oldest version is never locked";
  protocol.done(0);
  EXPECT_EQ(protocol.read(1, c).value, 5u);
  EXPECT_EQ(protocol.counts(1).lockStalls, 1u);
}
