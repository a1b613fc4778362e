#include "emu/semantics/Float.h"
#include "emu/semantics/Convert.h"
#include "gtest/gtest.h"
#include <cfenv>
#include <cmath>
#include <random>

// The lane functions under round-to-nearest; EngineTest covers the directed
// modes as programs see them. References are computed in double and with 113 bits.
using namespace leno;
using namespace leno::sem;

#ifdef __aarch64__
using Quad = long double;
#else
using Quad = __float128;
#endif

static const u32 interesting[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
                                  0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f7fffff, 0x3f800001,
                                  0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                  0xffc12345, 0x4b000001, 0x33800000, 0x34000000, 0x40490fdb};

template <class F> static void eachPair(F check) {
  for (u32 a : interesting)
    for (u32 b : interesting)
      check(a, b);
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    u32 a = u32(random()), b = u32(random());
    check(a, i % 2 ? b : (a & 0xff000000) | (b & 0x00ffffff)); // exponents near each other half of the time
  }
}

static u32 canonical(f32 x) { return x != x ? 0x7fffffff : bitsOf(x); }

TEST(FADD, IsTheSumRoundedOnce) {
  eachPair([](u32 a, u32 b) {
    // The sum of two floats rounded to double and again to float is the sum rounded once (53 >= 2 * 24 + 2).
    f32 expected = f32(double(floatOf(a)) + double(floatOf(b)));
    ASSERT_EQ(bitsOf(FADD::lane({}, floatOf(a), floatOf(b))), canonical(expected))
        << std::hex << a << " " << b;
  });
}

TEST(FMUL, IsTheProductRoundedOnce) {
  eachPair([](u32 a, u32 b) {
    f32 expected = f32(double(floatOf(a)) * double(floatOf(b))); // exact in double
    ASSERT_EQ(bitsOf(FMUL::lane({}, floatOf(a), floatOf(b))), canonical(expected))
        << std::hex << a << " " << b;
  });
}

TEST(FFMA, RoundsOnce) {
  std::mt19937 random(5);
  eachPair([&](u32 a, u32 b) {
    u32 c = interesting[random() % std::size(interesting)] ^ (random() & 0x00ffffff);
    // The product is exact in 48 bits; product + c needs at most 48 + 24 bits
    // or is so far apart that 113 bits decide the rounding all the same.
    f32 expected = f32(Quad(double(floatOf(a)) * double(floatOf(b))) + Quad(floatOf(c)));
    ASSERT_EQ(bitsOf(FFMA::lane({}, floatOf(a), floatOf(b), floatOf(c))), canonical(expected))
        << std::hex << a << " " << b << " " << c;
  });
}

TEST(FFMA, IsNotAMultiplicationAndAnAddition) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last term survives only when fused.
  f32 x = 1.0f + 0x1p-12f;
  EXPECT_EQ(FFMA::lane({}, x, x, -(1.0f + 0x1p-11f)), 0x1p-24f);
}

TEST(Float, EveryNanIsTheCanonicalOne) {
  for (u32 nan : {0x7f800001u, 0x7fc00000u, 0xffc00001u, 0xff800001u}) {
    EXPECT_EQ(bitsOf(FADD::lane({}, floatOf(nan), 1.0f)), 0x7fffffffu);
    EXPECT_EQ(bitsOf(FMUL::lane({}, 1.0f, floatOf(nan))), 0x7fffffffu);
    EXPECT_EQ(bitsOf(FFMA::lane({}, 1.0f, 1.0f, floatOf(nan))), 0x7fffffffu);
  }
  EXPECT_EQ(bitsOf(FADD::lane({}, INFINITY, -INFINITY)), 0x7fffffffu);
  EXPECT_EQ(bitsOf(FMUL::lane({}, INFINITY, 0.0f)), 0x7fffffffu);
}

TEST(Float, FtzFlushesInputsAndResultsKeepingTheSign) {
  isa::FADDMods add;
  add.FTZ = true;
  isa::FMULMods mul;
  mul.FTZ = true;
  EXPECT_EQ(bitsOf(FADD::lane(add, floatOf(1), floatOf(0x007fffff))), 0u);
  EXPECT_EQ(bitsOf(FADD::lane(add, floatOf(0x80000001), floatOf(0x807fffff))), 0x80000000u);
  EXPECT_EQ(bitsOf(FADD::lane(add, floatOf(0x80000001), 1.0f)), bitsOf(1.0f));
  EXPECT_EQ(bitsOf(FMUL::lane(mul, 0x1p-100f, -0x1p-40f)), 0x80000000u) << "a subnormal product";
  EXPECT_EQ(bitsOf(FMUL::lane(mul, floatOf(1), 0x1p127f)), 0u) << "a subnormal factor";
  EXPECT_EQ(bitsOf(FMUL::lane({}, floatOf(1), 0x1p127f)), bitsOf(0x1p-22f)) << "without .FTZ it counts";
  EXPECT_EQ(bitsOf(FADD::lane(add, floatOf(0x00800000), 0.0f)), 0x00800000u) << "the smallest normal stays";
}

TEST(Float, SaturationClampsToZeroAndOne) {
  isa::FADDMods m;
  m.SAT = true;
  EXPECT_EQ(bitsOf(FADD::lane(m, 0.75f, 0.75f)), bitsOf(1.0f));
  EXPECT_EQ(bitsOf(FADD::lane(m, -0.75f, 0.5f)), 0u);
  EXPECT_EQ(bitsOf(FADD::lane(m, -0.0f, -0.0f)), 0u);
  EXPECT_EQ(bitsOf(FADD::lane(m, 0.25f, 0.5f)), bitsOf(0.75f));
  EXPECT_EQ(bitsOf(FADD::lane(m, NAN, 0.5f)), 0u);
  EXPECT_EQ(bitsOf(FADD::lane(m, INFINITY, 0.5f)), bitsOf(1.0f));
}

TEST(Float, SignsApplyAbsoluteThenNegative) {
  isa::FADDMods m;
  m.negA = m.absA = true;
  EXPECT_EQ(FADD::lane(m, -3.0f, 1.0f), -2.0f);
  EXPECT_EQ(FADD::lane(m, 3.0f, 1.0f), -2.0f);
  m = {};
  m.negB = true;
  EXPECT_EQ(FADD::lane(m, 3.0f, 1.0f), 2.0f);
}

// C's nearbyint under each rounding mode is the reference.
TEST(F2I, RoundsByModeClampsAndMapsNanToZero) {
  static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  static const double lows[] = {-2147483648.0, 0, -32768, 0, -128, 0};
  static const double highs[] = {2147483647.0, 4294967295.0, 32767, 65535, 127, 255};
  std::mt19937 random(9);
  std::vector<u32> values(std::begin(interesting), std::end(interesting));
  for (f32 x :
       {0.5f, -0.5f, 1.5f, 2.5f, -2.5f, 127.5f, 255.5f, -128.5f, 32767.5f, 65535.5f, 2147483520.0f,
        2147483648.0f, 4294967040.0f, 4294967296.0f, -2147483648.0f, -2147483904.0f, 0.99999994f, -0.99f})
    values.push_back(bitsOf(x));
  for (int i = 0; i < 5000; ++i)
    values.push_back(u32(random()));
  for (unsigned mode = 0; mode < 4; ++mode)
    for (unsigned type = 0; type < 6; ++type)
      for (u32 bits : values) {
        isa::F2IMods m;
        m.rnd = isa::Round(mode), m.dst = isa::IntFormat(type);
        volatile double x = floatOf(bits);
        std::fesetround(modes[mode]);
        volatile double whole = std::nearbyint(x);
        std::fesetround(FE_TONEAREST);
        u32 expected =
            std::isnan(whole) ? 0 : u32(s64(std::min(std::max(double(whole), lows[type]), highs[type])));
        ASSERT_EQ(u32(F2I::convert(m, bits)), expected) << x << " mode " << mode << " type " << type;
      }
}

TEST(I2F, ReadsEveryFormat) {
  auto convert = [](isa::IntFormat type, u32 x) {
    isa::I2FMods m;
    m.src = type;
    return floatOf(u32(I2F::convert(m, x)));
  };
  EXPECT_EQ(convert(isa::IntFormat::S32, 0xffffffff), -1.0f);
  EXPECT_EQ(convert(isa::IntFormat::U32, 0xffffffff), 4294967296.0f);
  EXPECT_EQ(convert(isa::IntFormat::S16, 0x1234ffff), -1.0f);
  EXPECT_EQ(convert(isa::IntFormat::U16, 0x1234ffff), 65535.0f);
  EXPECT_EQ(convert(isa::IntFormat::S8, 0x12345680), -128.0f);
  EXPECT_EQ(convert(isa::IntFormat::U8, 0x12345680), 128.0f);
  EXPECT_EQ(convert(isa::IntFormat::S32, 16777217), 16777216.0f) << "a tie goes to even";
  EXPECT_EQ(convert(isa::IntFormat::S32, 16777219), 16777220.0f);
}
