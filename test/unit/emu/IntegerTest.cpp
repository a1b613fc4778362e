#include "emu/semantics/Integer.h"
#include "emu/semantics/Bits.h"
#include "emu/semantics/Logic.h"
#include "gtest/gtest.h"
#include <random>

// Expected values come from 128-bit and 64-bit arithmetic on true integers, not from the lane functions.
using namespace leno;
using namespace leno::sem;

static const u32 interesting[] = {0,          1,          2,          31,         32,     33,
                                  0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xffff, 0x10000,
                                  0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef};

template <class F> static void eachPair(F check) {
  for (u32 a : interesting)
    for (u32 b : interesting)
      check(a, b);
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i)
    check(u32(random()), u32(random()));
}

TEST(IADD, ValueAndFlagsAreThoseOfTheExactSum) {
  eachPair([](u32 a, u32 b) {
    for (int signs = 0; signs < 4; ++signs) {
      isa::IADDMods m;
      m.negA = signs & 1, m.negB = signs & 2, m.CC = true;
      s64 exact = (m.negA ? -s64(s32(a)) : s64(s32(a))) + (m.negB ? -s64(s32(b)) : s64(s32(b)));
      Result r = IADD::lane(m, a, b, {});
      ASSERT_EQ(r.value, u32(exact));
      ASSERT_EQ(r.flags.zero, u32(exact) == 0);
      ASSERT_EQ(r.flags.sign, s32(u32(exact)) < 0);
      ASSERT_EQ(r.flags.overflow, exact < INT32_MIN || exact > INT32_MAX);
      if (signs == 0) {
        ASSERT_EQ(r.flags.carry, u64(a) + b > UINT32_MAX);
      } else if (signs == 2) {
        ASSERT_EQ(r.flags.carry, a >= b) << "CF after a subtraction means no borrow";
      }
    }
  });
}

TEST(IADD, SaturationClampsToTheSignedRange) {
  eachPair([](u32 a, u32 b) {
    isa::IADDMods m;
    m.SAT = true;
    s64 exact = s64(s32(a)) + s32(b);
    s64 clamped = exact > INT32_MAX ? INT32_MAX : exact < INT32_MIN ? INT32_MIN : exact;
    ASSERT_EQ(IADD::lane(m, a, b, {}).value, u32(clamped));
  });
}

TEST(IADD, ExtendedAdditionChainsToThreeWords) {
  std::mt19937 random(11);
  using u128 = unsigned __int128;
  for (int i = 0; i < 4000; ++i) {
    bool subtract = i & 1;
    u32 aw[3], bw[3];
    for (int w = 0; w < 3; ++w)
      aw[w] = u32(random()), bw[w] = i % 3 == 0 ? aw[w] + (w == int(random() % 3)) : u32(random());
    u128 a = 0, b = 0;
    for (int w = 2; w >= 0; --w)
      a = a << 32 | aw[w], b = b << 32 | bw[w];
    u128 mask = ((u128)1 << 96) - 1, expected = (subtract ? a - b : a + b) & mask;
    u128 got = 0;
    Flags flags{};
    for (int w = 0; w < 3; ++w) {
      isa::IADDMods m;
      m.CC = true, m.X = w > 0, m.negB = subtract;
      Result r = IADD::lane(m, aw[w], bw[w], flags);
      flags = r.flags;
      got |= (u128)r.value << (32 * w);
    }
    ASSERT_TRUE(got == expected);
    ASSERT_EQ(flags.carry, subtract ? a >= b : ((a + b) >> 96) != 0);
    ASSERT_EQ(flags.zero, expected == 0) << "ZF tells of all words";
  }
}

TEST(IMUL, WordsOfTheProductForEverySignedness) {
  eachPair([](u32 a, u32 b) {
    for (unsigned sign = 0; sign < 4; ++sign) {
      __int128 fa = sign & 1 ? (__int128)a : (__int128)s32(a), fb = sign & 2 ? (__int128)b : (__int128)s32(b);
      u64 product = u64(fa * fb);
      isa::IMULMods m;
      m.sign = isa::MulSign(sign);
      ASSERT_EQ(IMUL::lane(m, a, b), u32(product));
      m.HI = true;
      ASSERT_EQ(IMUL::lane(m, a, b), u32(product >> 32)) << a << " " << b << " sign " << sign;
    }
  });
}

TEST(IMAD, AddsWithFlagsAndCarryIn) {
  eachPair([](u32 a, u32 b) {
    isa::IMADMods m;
    m.CC = true;
    u32 c = a ^ 0x5a5a5a5a;
    Result r = IMAD::lane(m, a, b, c, {});
    u64 sum = u64(u32(u64(a) * b)) + c;
    ASSERT_EQ(r.value, u32(sum));
    ASSERT_EQ(r.flags.carry, sum >> 32 != 0);
    m.X = true;
    ASSERT_EQ(IMAD::lane(m, a, b, c, Flags{false, true, false, false}).value, u32(sum + 1));
  });
}

TEST(Shifts, ClampByDefaultAndWrapOnRequest) {
  for (u32 a : interesting)
    for (u32 amount : {0u, 1u, 5u, 31u, 32u, 33u, 63u, 64u, 1000u, 0x80000000u, 0xffffffffu}) {
      isa::SHLMods l;
      isa::SHRMods r;
      u32 wrapped = amount % 32;
      ASSERT_EQ(SHL::lane(l, a, amount), amount >= 32 ? 0 : u32(u64(a) << amount));
      ASSERT_EQ(SHR::lane(r, a, amount), u32(s64(s32(a)) >> (amount >= 32 ? 32 : amount)));
      r.u32 = true;
      ASSERT_EQ(SHR::lane(r, a, amount), amount >= 32 ? 0 : u32(u64(a) >> amount));
      l.W = r.W = true;
      ASSERT_EQ(SHL::lane(l, a, amount), u32(u64(a) << wrapped));
      ASSERT_EQ(SHR::lane(r, a, amount), u32(u64(a) >> wrapped));
      r.u32 = false;
      ASSERT_EQ(SHR::lane(r, a, amount), u32(s64(s32(a)) >> wrapped));
    }
}

TEST(LOP, EveryOperationWithEveryInversion) {
  for (unsigned op = 0; op < 4; ++op)
    for (unsigned inversions = 0; inversions < 4; ++inversions)
      eachPair([&](u32 a, u32 b) {
        isa::LOPMods m;
        m.op = isa::LogicOp(op), m.invA = inversions & 1, m.invB = inversions & 2;
        u32 expected = 0;
        for (unsigned bit = 0; bit < 32; ++bit) { // truth tables, bit by bit
          unsigned x = (a >> bit & 1) ^ (inversions & 1), y = (b >> bit & 1) ^ (inversions >> 1);
          static constexpr unsigned table[] = {0b1000, 0b1110, 0b0110, 0b1100};
          expected |= u32(table[op] >> (y * 2 + x) & 1) << bit;
        }
        ASSERT_EQ(LOP::lane(m, a, b), expected);
      });
}

TEST(LOP3, EveryTableIsReadAtTheThreeBits) {
  std::mt19937 random(17);
  for (unsigned table = 0; table < 256; ++table)
    for (int i = 0; i < 20; ++i) {
      isa::LOP3Mods m;
      m.table = u8(table);
      u32 a = u32(random()), b = u32(random()), c = u32(random()), expected = 0;
      for (unsigned bit = 0; bit < 32; ++bit)
        expected |= (table >> ((a >> bit & 1) * 4 + (b >> bit & 1) * 2 + (c >> bit & 1)) & 1u) << bit;
      ASSERT_EQ(LOP3::lane(m, a, b, c), expected);
    }
}

TEST(ISCADD, ShiftsNegatesAndTellsTheFlagsOfTheSum) {
  eachPair([](u32 a, u32 b) {
    for (unsigned shift = 0; shift < 32; ++shift)
      for (unsigned signs = 0; signs < 4; ++signs) {
        isa::ISCADDMods m;
        m.negA = signs & 1, m.negB = signs & 2, m.shift = u8(shift), m.CC = true;
        s64 x = s32(u32(u64(a) << shift)), y = s32(b);
        s64 exact = (m.negA ? -x : x) + (m.negB ? -y : y);
        Result r = ISCADD::lane(m, a, b, {});
        ASSERT_EQ(r.value, u32(exact));
        ASSERT_EQ(r.flags.overflow, exact != s32(exact));
        ASSERT_EQ(r.flags.zero, u32(exact) == 0);
        ASSERT_EQ(r.flags.sign, s32(u32(exact)) < 0);
        if (signs == 0) {
          ASSERT_EQ(r.flags.carry, u64(u32(x)) + b > UINT32_MAX);
        } else if (signs == 2) {
          ASSERT_EQ(r.flags.carry, u32(x) >= b) << "no borrow";
        }
      }
  });
}

TEST(LEA, TwoWordsMakeA64BitAddress) {
  std::mt19937_64 random(31);
  for (int i = 0; i < 20000; ++i) {
    u64 index = i % 7 ? random() : ~u64(0), base = i % 5 ? random() : ~u64(0);
    u8 shift = u8(random() % 32);
    isa::LEAMods low;
    isa::LEAHIMods high;
    low.shift = high.shift = shift;
    low.CC = high.CC = high.X = true;
    unsigned __int128 sum = (unsigned __int128)(index << shift) + base;
    Result l = LEA::lane(low, u32(index), u32(base), {});
    Result h = LEAHI::lane(high, u32(index), u32(base >> 32), u32(index >> 32), l.flags);
    ASSERT_EQ(u64(h.value) << 32 | l.value, u64(sum));
    ASSERT_EQ(h.flags.carry, u64(sum >> 64) != 0);
    ASSERT_EQ(h.flags.zero, u64(sum) == 0);
    high.X = false;
    ASSERT_EQ(LEAHI::lane(high, u32(index), 5, u32(index >> 32), l.flags).value,
              u32((index << shift) >> 32) + 5);
  }
}

TEST(IMNMX, TruePredicateGivesTheMaximum) {
  eachPair([](u32 a, u32 b) {
    for (bool p : {false, true}) {
      isa::IMNMXMods m;
      ASSERT_EQ(IMNMX::lane(m, a, b, p), u32(p ? std::max(s32(a), s32(b)) : std::min(s32(a), s32(b))));
      m.u32 = true;
      ASSERT_EQ(IMNMX::lane(m, a, b, p), p ? std::max(a, b) : std::min(a, b));
    }
  });
}

TEST(IMADW, IsTheWholeProductPlusThePair) {
  std::mt19937_64 random(41);
  using s128 = __int128;
  eachPair([&](u32 a, u32 b) {
    for (unsigned modifiers = 0; modifiers < 48; ++modifiers) {
      isa::IMADWMods m;
      m.sign = isa::MulSign(modifiers & 3), m.X = modifiers & 4, m.CC = true;
      Flags old{false, bool(modifiers & 8), false, bool(a & 1)};
      s128 x = modifiers & 1 ? s128(a) : s128(s32(a)), y = modifiers & 2 ? s128(b) : s128(s32(b));
      u64 product = u64(x * y);
      // Any addend, and those with which the sum, or only the sum and the carry, passes the highest number.
      u64 c = modifiers < 16 ? random() : (modifiers & 16 ? ~u64(0) : ~u64(0) >> 1) - product;
      unsigned carry = m.X && old.carry;
      unsigned __int128 sum = (unsigned __int128)product + c + carry;
      s128 exact = s128(s64(product)) + s64(c) + carry;
      WideResult r = IMADW::lane(m, a, b, c, old);
      ASSERT_EQ(r.value, u64(sum));
      ASSERT_EQ(r.flags.carry, sum >> 64 != 0);
      ASSERT_EQ(r.flags.overflow, exact != s64(exact));
      ASSERT_EQ(r.flags.sign, s64(u64(sum)) < 0);
      ASSERT_EQ(r.flags.zero, u64(sum) == 0 && (!m.X || old.zero));
    }
  });
}
