#include "emu/semantics/Predicate.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace leno;
using namespace leno::sem;

TEST(ISETP, EveryComparisonSignedAndUnsigned) {
  const u32 values[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 5};
  for (u32 a : values)
    for (u32 b : values)
      for (bool isUnsigned : {false, true}) {
        s64 x = isUnsigned ? s64(a) : s64(s32(a)), y = isUnsigned ? s64(b) : s64(s32(b));
        const bool expected[] = {false, x<y, x == y, x <= y, x> y, x != y, x >= y, true};
        for (unsigned cmp = 0; cmp < 8; ++cmp) {
          isa::ISETPMods m;
          m.cmp = isa::Cmp(cmp), m.u32 = isUnsigned;
          ASSERT_EQ(ISETP::lane(m, a, b, {}), expected[cmp]) << a << " " << b << " cmp " << cmp;
        }
      }
}

TEST(ISETP, ExtendedComparesTwoWordNumbers) {
  std::mt19937_64 random(13);
  const u64 edges[] = {0, 1, 0xffffffff, 0x100000000, 0x7fffffffffffffff, 0x8000000000000000, ~u64(0)};
  for (int i = 0; i < 6000; ++i) {
    u64 a = i < 49 ? edges[i / 7] : random(), b = i < 49 ? edges[i % 7] : random();
    if (i % 3 == 0 && i >= 49)
      b = (a & 0xffffffff00000000) | u32(b); // equal high words
    if (i % 7 == 0 && i >= 49)
      b = a;
    isa::IADDMods low;
    low.CC = low.negB = true;
    Flags flags = IADD::lane(low, u32(a), u32(b), {}).flags;
    for (bool isUnsigned : {false, true}) {
      bool less = isUnsigned ? a < b : s64(a) < s64(b);
      const bool expected[] = {false, less, a == b, less || a == b, !less && a != b, a != b, !less, true};
      for (unsigned cmp = 0; cmp < 8; ++cmp) {
        isa::ISETPMods m;
        m.cmp = isa::Cmp(cmp), m.u32 = isUnsigned, m.X = true;
        ASSERT_EQ(ISETP::lane(m, u32(a >> 32), u32(b >> 32), flags), expected[cmp])
            << a << " " << b << " " << cmp;
      }
    }
  }
}

TEST(FSETP, OrderedAndUnorderedComparisons) {
  const f32 values[] = {0.0f, -0.0f, 1.0f, -1.0f, INFINITY, -INFINITY, NAN, 0x1p-140f};
  for (f32 a : values)
    for (f32 b : values) {
      bool un = std::isunordered(a, b);
      const bool expected[] = {false,
                               std::isless(a, b),
                               !un && a == b,
                               std::islessequal(a, b),
                               std::isgreater(a, b),
                               !un && a != b,
                               std::isgreaterequal(a, b),
                               !un,
                               un,
                               un || a < b,
                               un || a == b,
                               un || a <= b,
                               un || a > b,
                               un || a != b,
                               un || a >= b,
                               true};
      for (unsigned cmp = 0; cmp < 16; ++cmp) {
        isa::FSETPMods m;
        m.cmp = isa::FCmp(cmp);
        ASSERT_EQ(FSETP::lane(m, a, b), expected[cmp]) << a << " " << b << " cmp " << cmp;
      }
    }
  isa::FSETPMods m;
  m.cmp = isa::FCmp::EQ, m.FTZ = true;
  EXPECT_TRUE(FSETP::lane(m, 0x1p-140f, 0.0f)) << "flushed before comparing";
}

// S1's second form: the complement is of Pp, not of t.
TEST(PSETP, TruthTableOfBothDestinations) {
  auto apply = [](unsigned op, bool x, bool y) { return op == 0 ? x && y : op == 1 ? x || y : x != y; };
  for (unsigned op0 = 0; op0 < 3; ++op0)
    for (unsigned op1 = 0; op1 < 3; ++op1)
      for (unsigned bits = 0; bits < 8; ++bits) {
        bool p = bits & 1, q = bits & 2, r = bits & 4;
        isa::PSETPMods m;
        m.bop0 = isa::BoolOp(op0), m.bop1 = isa::BoolOp(op1);
        PredicatePair got = PSETP::masks(m, p ? allLanes : 0, q ? allLanes : 0, r ? allLanes : 0);
        EXPECT_EQ(got.u, apply(op1, apply(op0, p, q), r) ? allLanes : 0);
        EXPECT_EQ(got.v, apply(op1, apply(op0, !p, q), r) ? allLanes : 0);
      }
}

TEST(VOTE, ReducesOverTheExecutingLanesOnly) {
  auto vote = [](isa::VoteMode mode, LaneMask executing, LaneMask p) {
    isa::VOTEMods m;
    m.mode = mode;
    return VOTE::vote(m, executing, p);
  };
  EXPECT_TRUE(vote(isa::VoteMode::ALL, 0x0f, 0x0f).agreed);
  EXPECT_FALSE(vote(isa::VoteMode::ALL, 0x1f, 0x0f).agreed);
  EXPECT_FALSE(vote(isa::VoteMode::ANY, 0x0f, 0xf0).agreed);
  EXPECT_TRUE(vote(isa::VoteMode::ANY, 0x1f, 0xf0).agreed);
  EXPECT_TRUE(vote(isa::VoteMode::EQ, 0x0f, 0xf0).agreed);
  EXPECT_TRUE(vote(isa::VoteMode::EQ, 0x0f, 0xff).agreed);
  EXPECT_FALSE(vote(isa::VoteMode::EQ, 0x0f, 0x08).agreed);
  EXPECT_EQ(vote(isa::VoteMode::ALL, 0x3c, 0xff).ballot, 0x3cu);
}
