#include "Lanes.h"
#include "Operands.h"
#include "Tally.h"
#include "emu/semantics/Transcendental.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>

// MUFU against MPFR: the correctly rounded value of every function, for more than ten million arguments of
// each, and for all singles there are in the long mode. Of those MPFR decides the roundings that are not
// plain; it decides all of the random arguments, which are more than ten million of each function in the long
// mode.
using namespace leno;
using namespace leno::test;
using Function = isa::MufuFunction;

namespace {

constexpr unsigned usualArguments = 150'000;
/// Of all singles the usual mode takes every 419th (a prime), the long mode, from 64 times the effort on,
/// all.
unsigned strideOf() { return (effort(1) >= 64 ? 1 : 419 / effort(1)) * sparsity; }

int exactFunction(Function function, mpfr_ptr r, mpfr_srcptr x) {
  switch (function) {
  case Function::RCP:
  case Function::RCP64H:
    return mpfr_ui_div(r, 1, x, MPFR_RNDN);
  case Function::RSQ:
  case Function::RSQ64H:
    if (mpfr_zero_p(x)) { // IEEE 754 rSqrt; MPFR gives +infinity for both zeros
      mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
      return 0;
    }
    return mpfr_rec_sqrt(r, x, MPFR_RNDN);
  case Function::EX2:
    return mpfr_exp2(r, x, MPFR_RNDN);
  case Function::LG2:
    return mpfr_log2(r, x, MPFR_RNDN);
  case Function::SIN:
    return mpfr_sin(r, x, MPFR_RNDN);
  case Function::COS:
    return mpfr_cos(r, x, MPFR_RNDN);
  case Function::SQRT:
    return mpfr_sqrt(r, x, MPFR_RNDN);
  }
  return 0;
}

const char *nameOf(Function function) {
  static constexpr const char *names[] = {"RCP", "RSQ",  "EX2",    "LG2",   "SIN",
                                          "COS", "SQRT", "RCP64H", "RSQ64H"};
  return names[unsigned(function)];
}
bool isUpperWord(Function function) { return function == Function::RCP64H || function == Function::RSQ64H; }

class Oracle {
public:
  explicit Oracle(Function function)
      : function(function), format(isUpperWord(function) ? doubled : single), result(format) {}
  /// The result before .FTZ and .SAT: a single, or a double for the upper-word functions.
  u64 rounded(u32 argument) {
    x.set(isUpperWord(function) ? u64(argument) << 32 : argument, format);
    return result.pattern(exactFunction(function, result.number(), x), isa::Round::RN);
  }
  u32 value(u32 argument, bool flush = false, bool saturate = false) {
    bool flushes = flush && !isUpperWord(function);
    u64 y = rounded(flushes ? u32(single.flushed(argument)) : argument);
    y = flushes ? single.flushed(y) : y;
    y = saturate ? format.saturated(y) : y;
    return isUpperWord(function) ? u32(y >> 32) : u32(y);
  }

private:
  Function function;
  const Format &format;
  Result result;
  Number x;
};

/// The C library's double result decides most roundings: those that an error of 2^-45 cannot change.
bool decidedByLibrary(Function function, u32 argument, u32 &expected) {
  f32 x = std::bit_cast<f32>(argument);
  long double y;
  switch (function) {
  case Function::RCP:
    y = 1.0L / x;
    break;
  case Function::RSQ:
    y = 1.0L / std::sqrt((long double)(x));
    break;
  case Function::EX2:
    y = std::exp2(f64(x));
    break;
  case Function::LG2:
    y = std::log2(f64(x));
    break;
  case Function::SIN:
    y = std::sin(f64(x));
    break;
  case Function::COS:
    y = std::cos(f64(x));
    break;
  case Function::SQRT:
    y = std::sqrt((long double)(x));
    break;
  default:
    return false;
  }
  if (y != y) {
    expected = u32(single.canonicalNan());
    return true;
  }
  if (!(std::abs(y) > 0x1p-1000L && std::abs(y) < 0x1p1000L)) // zeros, infinities, NaN
    return false;
  f32 low = f32(y - y * 0x1p-45L), high = f32(y + y * 0x1p-45L);
  expected = std::bit_cast<u32>(low);
  return expected == std::bit_cast<u32>(high);
}

isa::MUFUMods modsOf(Function function) {
  isa::MUFUMods mods;
  mods.function = function;
  return mods;
}

class Mufu : public testing::TestWithParam<unsigned> {
protected:
  Function function = Function(GetParam());
};

} // namespace

TEST_P(Mufu, RandomArguments) {
  Tally tally(std::string("MUFU ") + nameOf(function), "random");
  for (auto [engine, arguments] : enginesFor(effort(usualArguments))) {
    Oracle oracle(function);
    Patterns patterns(single, 5);
    std::mt19937_64 random(6);
    std::vector<u64> borders = edges(single);
    Lanes lanes;
    for (u64 done = 0; done < arguments; done += laneCount) {
      u32 in[laneCount];
      for (unsigned i = 0; i < laneCount; ++i) {
        u64 k = done + i;
        f32 moderate = f32(s64(random()) >> 40) * 0x1p-16f; // up to 128, of either sign
        in[i] = u32(k < borders.size() ? borders[k]
                    : k % 3            ? u64(std::bit_cast<u32>(moderate))
                                       : patterns.next());
        if (k % 3 == 2) // most functions want it positive
          in[i] = u32(random()) & 0x7fffffff;
        lanes.set(Lanes::B, i, in[i]);
      }
      isa::MUFUMods mods = modsOf(function);
      mods.FTZ = done / laneCount % 4 == 1, mods.SAT = done / laneCount % 4 == 2;
      lanes.run(*engine, Semantic::MUFU, mods);
      for (unsigned i = 0; i < laneCount; ++i)
        ASSERT_EQ(lanes.word(i), oracle.value(in[i], mods.FTZ, mods.SAT))
            << engine->name << " FTZ " << mods.FTZ << " SAT " << mods.SAT << std::hex << ": " << in[i];
      tally.addWarp();
    }
  }
}

TEST_P(Mufu, BorderArgumentsWithEveryModifier) {
  std::vector<u64> borders = edges(single);
  for (auto [engine, unused] : enginesFor(0))
    for (unsigned flags = 0; flags < 16; ++flags) {
      Oracle oracle(function);
      Lanes lanes;
      isa::MUFUMods mods = modsOf(function);
      mods.FTZ = flags & 1, mods.SAT = flags & 2, mods.negB = flags & 4, mods.absB = flags & 8;
      for (u64 argument : borders) {
        lanes.set(Lanes::B, 0, argument);
        lanes.run(*engine, Semantic::MUFU, mods);
        u32 x = u32(argument) & ~(mods.absB ? 0x80000000 : 0);
        x ^= mods.negB ? 0x80000000 : 0;
        ASSERT_EQ(lanes.word(0), oracle.value(x, mods.FTZ, mods.SAT))
            << engine->name << " " << flags << std::hex << " " << x;
      }
    }
}

TEST_P(Mufu, EverySingle) {
  const Engine &engine = *availableEngines().back();
  u64 stride = strideOf();
  if (isUpperWord(function)) // no help from the library: each is MPFR's
    stride = stride == 1 ? 17 : stride;
  Oracle oracle(function);
  Tally tally(std::string("MUFU ") + nameOf(function), "by stride");
  Lanes lanes;
  for (u64 first = 0; first < u64(1) << 32; first += stride * laneCount) {
    for (unsigned i = 0; i < laneCount; ++i)
      lanes.set(Lanes::B, i, u32(first + i * stride));
    lanes.run(engine, Semantic::MUFU, modsOf(function));
    for (unsigned i = 0; i < laneCount; ++i) {
      u32 argument = u32(first + i * stride), expected;
      if (!decidedByLibrary(function, argument, expected))
        expected = oracle.value(argument);
      ASSERT_EQ(lanes.word(i), expected) << std::hex << argument;
    }
    tally.addWarp();
  }
}

// The significand and the parity of the exponent decide the rounding of these, where nothing is subnormal:
// all of them.
TEST_P(Mufu, EverySignificand) {
  bool isRoot = function == Function::RSQ || function == Function::SQRT;
  if (!isRoot && !isUpperWord(function))
    return;
  // Those without fused multiply-adds come to a root another way.
  llvm::ArrayRef<const Engine *> engines = availableEngines();
  Oracle oracle(function);
  Lanes lanes;
  // From 1 to 4 in singles; in upper words of doubles, likewise.
  u32 begin = isRoot ? 0x3f800000 : 0x3ff00000, end = isRoot ? 0x40800000 : 0x40100000;
  u32 stride = (isRoot || strideOf() == 1 ? 1 : 7) * (sparsity > 1 ? sparsity + 3 : 1); // with all last bits
  for (u32 first = begin; first < end; first += stride * laneCount) {
    for (unsigned i = 0; i < laneCount; ++i)
      lanes.set(Lanes::B, i, first + i * stride);
    for (const Engine *engine : isRoot ? engines : engines.take_back()) {
      lanes.run(*engine, Semantic::MUFU, modsOf(function));
      for (unsigned i = 0; i < laneCount; ++i) {
        u32 argument = first + i * stride, expected;
        if (!decidedByLibrary(function, argument, expected))
          expected = oracle.value(argument);
        ASSERT_EQ(lanes.word(i), expected) << engine->name << " " << std::hex << argument;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Mpfr, Mufu, testing::Range(0u, 9u));

// A host's estimate of a root may be any that lies near enough: the results are those of its significand all
// the same.
TEST(RootEstimates, AnyOfThemLeadsToTheSameResult) {
  Oracle oracle(Function::RSQ);
  for (u32 argument = 0x3f800000; argument < 0x40800000; argument += sparsity) {
    u32 expected;
    if (!decidedByLibrary(Function::RSQ, argument, expected))
      expected = oracle.value(argument);
    for (f32 off : {-0x1p-14f, -0x1p-20f, 0.0f, 0x1p-20f, 0x1p-14f}) {
      f32 estimate = std::bit_cast<f32>(expected) * (1 + off);
      ASSERT_EQ(std::bit_cast<u32>(sem::reciprocalRoot(std::bit_cast<f32>(argument), estimate)), expected)
          << std::hex << argument << " from " << std::hexfloat << estimate;
    }
  }
}
