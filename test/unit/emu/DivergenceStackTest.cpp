#include "emu/warp/DivergenceStack.h"
#include "gtest/gtest.h"

using namespace leno;
using Outcome = DivergenceStack::Outcome;

namespace {
struct Storage {
  OnChipStorage onChip;
};
struct Stack : Storage, DivergenceStack {
  explicit Stack(LaneMask launched = 0xff, size_t limit = 16) : DivergenceStack(onChip, limit) {
    reset(launched);
  }
};
} // namespace

TEST(Token, PacksMaskPcAndTypeAsTheManualSays) {
  Token token{TokenType::Call, 0xdeadbeef, 0xabcdef1};
  EXPECT_EQ(token.pack(), 0x4abcdef1deadbeefu);
  EXPECT_EQ(Token::unpack(token.pack()), token);
}

TEST(DivergenceStack, TheSideThatStayedRunsBeforeTheJoin) {
  Stack s;
  ASSERT_TRUE(s.push({TokenType::Sync, 0xff, 100}));
  ASSERT_TRUE(s.push({TokenType::Div, 0xf0, 10}));
  s.leave(Reason::None, 0x0f); // the taken side reaches its SYNC
  Outcome first = s.unwind();
  EXPECT_EQ(first.kind, Outcome::Resume);
  EXPECT_EQ(first.lanes, 0xf0u);
  EXPECT_EQ(first.token.pc, 10u);
  s.leave(Reason::None, 0xf0);
  Outcome second = s.unwind();
  EXPECT_EQ(second.lanes, 0xffu);
  EXPECT_EQ(second.token.pc, 100u);
}

TEST(DivergenceStack, LanesThatBreakApartLeaveTheLoopTogether) {
  Stack s;
  ASSERT_TRUE(s.push({TokenType::Brk, 0xff, 50}));
  s.leave(Reason::Brk, 0x03); // some break, the rest runs on
  EXPECT_EQ(s.reasonOfLane(0), Reason::Brk);
  EXPECT_EQ(s.reasonOfLane(7), Reason::None);
  s.leave(Reason::Brk, 0xfc);
  Outcome out = s.unwind();
  EXPECT_EQ(out.kind, Outcome::Resume);
  EXPECT_EQ(out.lanes, 0xffu);
  EXPECT_EQ(out.token.pc, 50u);
  EXPECT_EQ(s.reasonOfLane(0), Reason::None);
}

TEST(DivergenceStack, ABreakOutOfAnIfSkipsTheIfsJoinForItsLanes) {
  Stack s;
  ASSERT_TRUE(s.push({TokenType::Brk, 0xff, 50}));
  ASSERT_TRUE(s.push({TokenType::Sync, 0xff, 20}));
  ASSERT_TRUE(s.push({TokenType::Div, 0xf0, 10}));
  s.leave(Reason::Brk, 0x0f);
  EXPECT_EQ(s.unwind().lanes, 0xf0u); // the other side
  s.leave(Reason::None, 0xf0);
  Outcome join = s.unwind();
  EXPECT_EQ(join.token.type, TokenType::Sync);
  EXPECT_EQ(join.lanes, 0xf0u) << "those that broke are not at the join";
  s.leave(Reason::Brk, 0xf0);
  EXPECT_EQ(s.unwind().lanes, 0xffu);
}

TEST(DivergenceStack, ContinueWaitsForTheContEntryOnly) {
  Stack s;
  ASSERT_TRUE(s.push({TokenType::Brk, 0x0f, 90}));
  ASSERT_TRUE(s.push({TokenType::Cont, 0x0f, 30}));
  s.leave(Reason::Cont, 0x03);
  s.leave(Reason::Brk, 0x0c);
  Outcome head = s.unwind();
  EXPECT_EQ(head.token.type, TokenType::Cont);
  EXPECT_EQ(head.lanes, 0x03u);
  EXPECT_EQ(head.token.pc, 30u);
  s.leave(Reason::Brk, 0x03);
  EXPECT_EQ(s.unwind().lanes, 0x0fu);
}

TEST(DivergenceStack, AReturnOutOfALoopSkipsTheLoopsEntries) {
  Stack s;
  ASSERT_TRUE(s.push({TokenType::Call, 0xff, 7}));
  ASSERT_TRUE(s.push({TokenType::Brk, 0xff, 40}));
  s.leave(Reason::Ret, 0x0f);
  s.leave(Reason::Brk, 0xf0);
  EXPECT_EQ(s.unwind().lanes, 0xf0u);
  s.leave(Reason::Ret, 0xf0);
  Outcome back = s.unwind();
  EXPECT_EQ(back.token.type, TokenType::Call);
  EXPECT_EQ(back.lanes, 0xffu);
  EXPECT_EQ(back.token.pc, 7u);
}

TEST(DivergenceStack, AnExitWithEntriesPendingLetsTheOthersRun) {
  Stack s;
  ASSERT_TRUE(s.push({TokenType::Sync, 0xff, 20}));
  ASSERT_TRUE(s.push({TokenType::Div, 0xf0, 10}));
  s.leave(Reason::Exit, 0x0f);
  EXPECT_EQ(s.unwind().lanes, 0xf0u);
  s.leave(Reason::None, 0xf0);
  EXPECT_EQ(s.unwind().lanes, 0xf0u) << "exited lanes do not come back";
  s.leave(Reason::Exit, 0xf0);
  EXPECT_EQ(s.unwind().kind, Outcome::Retire);
}

TEST(DivergenceStack, RetWithoutACallTraps) {
  Stack s;
  s.leave(Reason::Exit, 0xf0);
  s.leave(Reason::Ret, 0x0f);
  Outcome out = s.unwind();
  EXPECT_EQ(out.kind, Outcome::Fault);
  EXPECT_EQ(out.trap, TrapKind::RetEmptyStack);
  EXPECT_EQ(out.lanes, 0x0fu);
}

TEST(DivergenceStack, AnyOtherLaneLeftOnAnEmptyStackIsAStackError) {
  for (Reason reason : {Reason::None, Reason::Brk, Reason::Cont}) {
    Stack s;
    s.leave(reason, 0xff);
    Outcome out = s.unwind();
    EXPECT_EQ(out.kind, Outcome::Fault);
    EXPECT_EQ(out.trap, TrapKind::StackError);
    EXPECT_EQ(out.lanes, 0xffu);
  }
}

TEST(DivergenceStack, ACallThatEndsWithLanesInBrkIsMismatchedNesting) {
  Stack s;
  ASSERT_TRUE(s.push({TokenType::Brk, 0xff, 40}));
  ASSERT_TRUE(s.push({TokenType::Call, 0xff, 7}));
  s.leave(Reason::Brk, 0x01);
  s.leave(Reason::Ret, 0xfe);
  Outcome out = s.unwind();
  EXPECT_EQ(out.kind, Outcome::Fault);
  EXPECT_EQ(out.trap, TrapKind::StackError);
  EXPECT_EQ(out.lanes, 0x01u);
}

TEST(DivergenceStack, PushesPastTheNestingLimitAreRefused) {
  Stack s(0xff, 2);
  EXPECT_TRUE(s.push({TokenType::Sync, 0xff, 1}));
  EXPECT_TRUE(s.push({TokenType::Sync, 0xff, 2}));
  EXPECT_FALSE(s.push({TokenType::Sync, 0xff, 3}));
  EXPECT_EQ(s.depth(), 2u);
  EXPECT_EQ(s.maxDepth(), 2u);
}
