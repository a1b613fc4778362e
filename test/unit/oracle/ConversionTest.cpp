#include "Lanes.h"
#include "Operands.h"
#include "Tally.h"
#include "gtest/gtest.h"

// F2F, F2I and I2F against MPFR: every pair of formats and rounding mode, a million values each (a hundred
// million in the long mode), or all there are.
using namespace leno;
using namespace leno::test;

namespace {

constexpr isa::Round allModes[] = {isa::Round::RN, isa::Round::RM, isa::Round::RP, isa::Round::RZ};
constexpr isa::FloatFormat allFloats[] = {isa::FloatFormat::F32, isa::FloatFormat::F16,
                                          isa::FloatFormat::F64};

/// Values of a float format: all halves, or borders and then patterns that lie near those of the other
/// formats.
class Floats {
public:
  Floats(const Format &format, u64 seed) : format(format), patterns(format, seed), borders(edges(format)) {}
  u64 next() {
    u64 k = count++;
    if (format.bits == 16)
      return k * 40503 & 0xffff; // all, or some from everywhere
    if (k < borders.size())
      return borders[k];
    u64 x = patterns.next();
    unsigned tail = format.fraction - (format.bits == 64 && k & 1 ? 23 : 10);
    switch (patterns.below(4)) {
    case 0: // an exponent that a half or an integer of up to 64 bits has
      return ((x & ~format.infinity()) | (format.one() + ((patterns.below(96) - 30) << format.fraction))) &
             (format.sign() | format.canonicalNan());
    case 1: // a tie of a shorter format, or one beside it
      return (((x >> tail << tail) | (u64(1) << (tail - 1))) + patterns.below(3) - 1) &
             (format.sign() | format.canonicalNan());
    default:
      return x;
    }
  }

private:
  const Format &format;
  Patterns patterns;
  std::vector<u64> borders;
  u64 count = 0;
};

unsigned valuesOf(const Format &format, unsigned wanted) {
  return format.bits == 16 ? (1u << 16) / sparsity : wanted;
}

class Formats : public testing::TestWithParam<std::tuple<isa::FloatFormat, isa::Round>> {};

} // namespace

// Plain conversions with .FTZ and .SAT; a result is compared in whole, so the high half of an f16 is zero.
TEST_P(Formats, F2F) {
  auto [src, mode] = GetParam();
  const Format &from = formatOf(src);
  for (auto [engine, values] : enginesFor(tupleCount()))
    for (isa::FloatFormat dst : allFloats) {
      const Format &to = formatOf(dst);
      Tally tally(std::string("F2F ") + nameOf(mode),
                  std::string(engine->name) + ' ' + nameOf(dst) + ' ' + nameOf(src));
      Floats floats(from, 7 + unsigned(mode));
      Lanes lanes;
      Result result(to);
      Number x;
      auto rounded = [&](u64 pattern) {
        x.set(pattern, from);
        return result.pattern(mpfr_set(result.number(), x, modeOf(mode)), mode);
      };
      for (u64 done = 0; done < valuesOf(from, values); done += laneCount) {
        u64 in[laneCount], plain[laneCount], flushed[laneCount];
        for (unsigned i = 0; i < laneCount; ++i) {
          in[i] = floats.next();
          plain[i] = rounded(in[i]);
          flushed[i] = src == isa::FloatFormat::F32 ? rounded(from.flushed(in[i])) : plain[i];
          if (dst == isa::FloatFormat::F32)
            flushed[i] = to.flushed(flushed[i]);
          // The upper half of an f16's register does not matter.
          lanes.set(Lanes::B, i, in[i] | (from.bits == 16 ? 0xabcd0000 : 0));
        }
        for (unsigned flags = 0; flags < 4; ++flags) {
          isa::F2FMods mods;
          mods.dst = dst, mods.src = src, mods.rnd = mode, mods.FTZ = flags & 1, mods.SAT = flags & 2;
          lanes.run(*engine, Semantic::F2F, mods);
          for (unsigned i = 0; i < laneCount; ++i) {
            u64 expected = mods.FTZ ? flushed[i] : plain[i];
            expected = mods.SAT ? to.saturated(expected) : expected;
            ASSERT_EQ(to.bits == 64 ? lanes.result(i) : lanes.word(i), expected)
                << engine->name << " to " << to.bits << " bits, flags " << flags << std::hex << ": " << in[i];
          }
        }
        tally.addWarp(4);
      }
    }
}

// F2F between whole numbers: rounded in the source's format first, then to the result's.
TEST_P(Formats, Integral) {
  auto [src, mode] =
      GetParam(); // the mode is that of the whole number; the conversion is to nearest and upward
  const Format &from = formatOf(src);
  static constexpr isa::Integral names[] = {isa::Integral::ROUND, isa::Integral::FLOOR, isa::Integral::CEIL,
                                            isa::Integral::TRUNC};
  for (auto [engine, values] : enginesFor(tupleCount() / 4))
    for (isa::FloatFormat dst : allFloats)
      for (isa::Round then : {isa::Round::RN, isa::Round::RP}) {
        const Format &to = formatOf(dst);
        Tally tally(std::string("F2F.integral ") + nameOf(mode),
                    std::string(engine->name) + ' ' + nameOf(dst) + ' ' + nameOf(src) + ' ' + nameOf(then));
        Floats floats(from, 11 + unsigned(mode));
        Lanes lanes;
        Result result(to);
        Number x, whole(64);
        isa::F2FMods mods;
        mods.dst = dst, mods.src = src, mods.rnd = then, mods.integral = names[unsigned(mode)];
        for (u64 done = 0; done < valuesOf(from, values); done += laneCount) {
          u64 in[laneCount];
          for (unsigned i = 0; i < laneCount; ++i)
            lanes.set(Lanes::B, i, in[i] = floats.next());
          lanes.run(*engine, Semantic::F2F, mods);
          for (unsigned i = 0; i < laneCount; ++i) {
            x.set(in[i], from);
            static constexpr decltype(&mpfr_roundeven) functions[] = {
                &mpfr_roundeven, [](mpfr_ptr r, mpfr_srcptr a) { return mpfr_floor(r, a); },
                [](mpfr_ptr r, mpfr_srcptr a) { return mpfr_ceil(r, a); },
                [](mpfr_ptr r, mpfr_srcptr a) { return mpfr_trunc(r, a); }};
            functions[unsigned(mode)](whole, x);
            u64 expected = result.pattern(mpfr_set(result.number(), whole, modeOf(then)), then);
            ASSERT_EQ(to.bits == 64 ? lanes.result(i) : lanes.word(i), expected)
                << engine->name << " to " << to.bits << " bits" << std::hex << ": " << in[i];
          }
          tally.addWarp();
        }
      }
}

TEST_P(Formats, F2I) {
  auto [src, mode] = GetParam();
  const Format &from = formatOf(src);
  for (auto [engine, values] : enginesFor(tupleCount())) {
    Tally tally(std::string("F2I ") + nameOf(mode), std::string(engine->name) + ' ' + nameOf(src));
    Floats floats(from, 13 + unsigned(mode));
    Lanes lanes;
    Number x, whole(64);
    for (u64 done = 0; done < valuesOf(from, values); done += laneCount) {
      u64 in[laneCount];
      __int128 exact[2][laneCount]; // plain, flushed; clamped to 100 bits, NaN as 0
      for (unsigned i = 0; i < laneCount; ++i) {
        lanes.set(Lanes::B, i, in[i] = floats.next());
        for (unsigned flush = 0; flush < 2; ++flush) {
          x.set(flush && from.bits == 32 ? from.flushed(in[i]) : in[i], from);
          mpfr_rint(whole, x, modeOf(mode));
          double value = mpfr_get_d(whole, MPFR_RNDZ); // what a format holds is exact
          exact[flush][i] = value != value              ? 0
                            : std::abs(value) < 0x1p100 ? __int128(value)
                                                        : (value < 0 ? -1 : 1) * (__int128(1) << 100);
        }
      }
      for (unsigned type = 0; type < 8; ++type)
        for (unsigned flush = 0; flush < 2; ++flush) {
          isa::F2IMods mods;
          mods.dst = isa::IntFormat(type), mods.src = src, mods.rnd = mode, mods.FTZ = flush;
          lanes.run(*engine, Semantic::F2I, mods);
          static constexpr unsigned widths[] = {32, 16, 8, 64};
          unsigned width = widths[type / 2];
          bool isSigned = type % 2 == 0;
          __int128 low = isSigned ? -(__int128(1) << (width - 1)) : 0;
          __int128 high = (__int128(1) << (isSigned ? width - 1 : width)) - 1;
          for (unsigned i = 0; i < laneCount; ++i) {
            __int128 expected = std::min(std::max(exact[flush][i], low), high);
            ASSERT_EQ(width == 64 ? lanes.result(i) : lanes.word(i),
                      width == 64 ? u64(expected) : u32(expected))
                << engine->name << " type " << type << " flush " << flush << std::hex << ": " << in[i];
          }
        }
      tally.addWarp(16);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Mpfr, Formats,
                         testing::Combine(testing::ValuesIn(allFloats), testing::ValuesIn(allModes)));

namespace {
class Integers : public testing::TestWithParam<unsigned> {};
} // namespace

TEST_P(Integers, I2F) {
  auto type = isa::IntFormat(GetParam());
  static constexpr unsigned widths[] = {32, 16, 8, 64};
  unsigned width = widths[GetParam() / 2];
  bool isSigned = GetParam() % 2 == 0;
  for (auto [engine, wanted] : enginesFor(tupleCount()))
    for (isa::FloatFormat dst : allFloats)
      for (isa::Round mode : allModes) {
        const Format &to = formatOf(dst);
        Tally tally(std::string("I2F ") + nameOf(mode),
                    std::string(engine->name) + ' ' + nameOf(dst) + ' ' + nameOf(type));
        std::mt19937_64 random(17 + unsigned(mode));
        Lanes lanes;
        Result result(to);
        isa::I2FMods mods;
        mods.src = type, mods.dst = dst, mods.rnd = mode;
        u64 count = width == 8 ? 1u << 8 : width == 16 ? (1u << 16) / sparsity : wanted;
        for (u64 done = 0; done < count; done += laneCount) {
          u64 in[laneCount];
          for (unsigned i = 0; i < laneCount; ++i) {
            // All of a narrow format. Else: any bits, few bits, long runs, small numbers, and those beside
            // powers of two.
            u64 bits = random(), one = u64(1) << random() % width;
            switch (width <= 16 ? 5 : random() % 5) {
            case 0:
              break;
            case 1:
              bits >>= random() % width;
              break;
            case 2:
              bits = one + (u64(1) << random() % width) + random() % 3 - 1;
              break;
            case 3:
              bits = one - (u64(1) << random() % width);
              break;
            case 4:
              bits = one + random() % 3 - 1;
              break;
            default:
              bits = width == 16 ? ((done + i) * 40503 & 0xffff) | 0xbeef0000 : (done + i) | 0x12345600;
            }
            lanes.set(Lanes::B, i, in[i] = bits);
          }
          lanes.run(*engine, Semantic::I2F, mods);
          for (unsigned i = 0; i < laneCount; ++i) {
            u64 low = in[i] << (64 - width);
            int ternary = isSigned ? mpfr_set_sj(result.number(), s64(low) >> (64 - width), modeOf(mode))
                                   : mpfr_set_uj(result.number(), low >> (64 - width), modeOf(mode));
            ASSERT_EQ(to.bits == 64 ? lanes.result(i) : lanes.word(i), result.pattern(ternary, mode))
                << engine->name << " to " << to.bits << " bits, mode " << unsigned(mode) << std::hex << ": "
                << in[i];
          }
          tally.addWarp();
        }
      }
}
INSTANTIATE_TEST_SUITE_P(Mpfr, Integers, testing::Range(0u, 8u));
