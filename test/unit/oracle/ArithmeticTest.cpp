#include "Lanes.h"
#include "Operands.h"
#include "Tally.h"
#include "gtest/gtest.h"

// FADD FMUL FFMA DADD DMUL DFMA and the packed halves against MPFR: every rounding mode, with and without
// .FTZ and .SAT, a million tuples of operands for each operation and mode; a hundred million in the long
// mode.
using namespace leno;
using namespace leno::test;

namespace {

using Compute = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
int sum(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t mode) {
  return mpfr_add(r, a, b, mode);
}
int product(mpfr_ptr r, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr, mpfr_rnd_t mode) {
  return mpfr_mul(r, a, b, mode);
}

struct Tuple {
  u64 a, b, c;
};

class Oracle {
public:
  Oracle(const Format &format, Compute compute) : format(format), compute(compute), result(format) {}

  u64 rounded(Tuple t, isa::Round mode) {
    a.set(t.a, format), b.set(t.b, format), c.set(t.c, format);
    return result.pattern(compute(result.number(), a, b, c, modeOf(mode)), mode);
  }
  /// The first source of operands: every pair of borders; c goes through them at another pace.
  Tuple crossed(u64 index) {
    u64 n = borders.size();
    return {borders[index % n], borders[index / n % n], borders[index * 31 % n]};
  }
  Tuple random(Patterns &patterns) {
    Tuple t{patterns.next(), patterns.next(), patterns.next()};
    if (patterns.below(4) == 0) // cancellation: c is the negated, rounded product or one beside it
      t.c = ((product(t) ^ format.sign()) + patterns.below(3) - 1) & (format.sign() | format.canonicalNan());
    return t;
  }
  u64 crossCount() const { return borders.size() * borders.size(); }

private:
  u64 product(Tuple t) {
    a.set(t.a, format), b.set(t.b, format);
    return result.pattern(mpfr_mul(result.number(), a, b, MPFR_RNDN), isa::Round::RN);
  }

  const Format &format;
  Compute compute;
  Result result;
  Number a, b, c;
  std::vector<u64> borders = edges(format);
};

/// Calls check(tuples, expected plain results, expected results with flushed sources) for 32 tuples at a
/// time.
template <class Check>
void eachWarp(const Format &format, Compute compute, isa::Round mode, unsigned tuples, Check check) {
  Oracle oracle(format, compute);
  Patterns patterns(format, 1 + unsigned(mode));
  for (u64 done = 0; done < tuples; done += laneCount) {
    Tuple in[laneCount];
    u64 plain[laneCount], flushed[laneCount];
    for (unsigned i = 0; i < laneCount; ++i) {
      in[i] = done + i < oracle.crossCount() ? oracle.crossed(done + i) : oracle.random(patterns);
      plain[i] = flushed[i] = oracle.rounded(in[i], mode);
      Tuple zeros{format.flushed(in[i].a), format.flushed(in[i].b), format.flushed(in[i].c)};
      if (zeros.a != in[i].a || zeros.b != in[i].b || zeros.c != in[i].c)
        flushed[i] = oracle.rounded(zeros, mode);
    }
    if (!check(in, plain, flushed))
      return;
  }
}

void load(Lanes &lanes, const Tuple *in) {
  for (unsigned i = 0; i < laneCount; ++i)
    lanes.set(Lanes::A, i, in[i].a), lanes.set(Lanes::B, i, in[i].b), lanes.set(Lanes::C, i, in[i].c);
}

template <class Mods>
void checkSingle(const char *name, Semantic semantic, Compute compute, isa::Round mode) {
  Tally tally(std::string(name) + ' ' + nameOf(mode));
  for (auto [engine, tuples] : enginesFor(tupleCount())) {
    Lanes lanes;
    eachWarp(single, compute, mode, tuples, [&](const Tuple *in, const u64 *plain, const u64 *flushed) {
      load(lanes, in);
      for (unsigned flags = 0; flags < 4; ++flags) {
        Mods mods;
        mods.rnd = mode, mods.FTZ = flags & 1, mods.SAT = flags & 2;
        lanes.run(*engine, semantic, mods);
        for (unsigned i = 0; i < laneCount; ++i) {
          u64 expected = mods.FTZ ? single.flushed(flushed[i]) : plain[i];
          expected = mods.SAT ? single.saturated(expected) : expected;
          if (lanes.word(i) != expected) {
            ADD_FAILURE() << engine->name << " FTZ " << mods.FTZ << " SAT " << mods.SAT << std::hex << ": "
                          << in[i].a << " " << in[i].b << " " << in[i].c << " gives " << lanes.word(i)
                          << ", not " << expected;
            return false;
          }
        }
      }
      tally.addWarp(4);
      return true;
    });
  }
}

/// Packed halves: tuple i in the low halves of lane i, the warp's last tuples first in the high ones.
template <class Mods>
void checkPacked(const char *name, Semantic semantic, Compute compute, isa::Round mode) {
  Tally tally(std::string(name) + ' ' + nameOf(mode));
  for (auto [engine, tuples] : enginesFor(tupleCount() / 4)) {
    Lanes lanes;
    eachWarp(half, compute, mode, tuples, [&](const Tuple *in, const u64 *plain, const u64 *flushed) {
      auto pack = [](u64 low, u64 high) { return low | high << 16; };
      for (unsigned i = 0; i < laneCount; ++i) {
        const Tuple &low = in[i], &high = in[laneCount - 1 - i];
        lanes.set(Lanes::A, i, pack(low.a, high.a));
        lanes.set(Lanes::B, i, pack(low.b, high.b));
        lanes.set(Lanes::C, i, pack(low.c, high.c));
      }
      for (unsigned flags = 0; flags < 4; ++flags) {
        Mods mods;
        mods.rnd = mode, mods.FTZ = flags & 1, mods.SAT = flags & 2;
        lanes.run(*engine, semantic, mods);
        auto expected = [&](unsigned i) {
          u64 value = mods.FTZ ? half.flushed(flushed[i]) : plain[i];
          return mods.SAT ? half.saturated(value) : value;
        };
        for (unsigned i = 0; i < laneCount; ++i)
          if (u64 wanted = pack(expected(i), expected(laneCount - 1 - i)); lanes.word(i) != wanted) {
            ADD_FAILURE() << engine->name << " FTZ " << mods.FTZ << " SAT " << mods.SAT << std::hex << ": "
                          << in[i].a << " " << in[i].b << " " << in[i].c << " in the low half give "
                          << lanes.word(i) << ", not " << wanted;
            return false;
          }
      }
      tally.addWarp(4);
      return true;
    });
  }
}

template <class Mods>
void checkDouble(const char *name, Semantic semantic, Compute compute, isa::Round mode) {
  Tally tally(std::string(name) + ' ' + nameOf(mode));
  for (auto [engine, tuples] : enginesFor(tupleCount())) {
    Lanes lanes;
    eachWarp(doubled, compute, mode, tuples, [&](const Tuple *in, const u64 *plain, const u64 *) {
      load(lanes, in);
      Mods mods;
      mods.rnd = mode;
      lanes.run(*engine, semantic, mods);
      for (unsigned i = 0; i < laneCount; ++i)
        if (lanes.result(i) != plain[i]) {
          ADD_FAILURE() << engine->name << std::hex << ": " << in[i].a << " " << in[i].b << " " << in[i].c
                        << " gives " << lanes.result(i) << ", not " << plain[i];
          return false;
        }
      tally.addWarp();
      return true;
    });
  }
}

class Rounding : public testing::TestWithParam<isa::Round> {};

} // namespace

TEST_P(Rounding, FADD) { checkSingle<isa::FADDMods>("FADD", Semantic::FADD, sum, GetParam()); }
TEST_P(Rounding, FMUL) { checkSingle<isa::FMULMods>("FMUL", Semantic::FMUL, product, GetParam()); }
TEST_P(Rounding, FFMA) { checkSingle<isa::FFMAMods>("FFMA", Semantic::FFMA, mpfr_fma, GetParam()); }
TEST_P(Rounding, HADD2) { checkPacked<isa::HADD2Mods>("HADD2", Semantic::HADD2, sum, GetParam()); }
TEST_P(Rounding, HMUL2) { checkPacked<isa::HMUL2Mods>("HMUL2", Semantic::HMUL2, product, GetParam()); }
TEST_P(Rounding, HFMA2) { checkPacked<isa::HFMA2Mods>("HFMA2", Semantic::HFMA2, mpfr_fma, GetParam()); }
TEST_P(Rounding, DADD) { checkDouble<isa::DADDMods>("DADD", Semantic::DADD, sum, GetParam()); }
TEST_P(Rounding, DMUL) { checkDouble<isa::DMULMods>("DMUL", Semantic::DMUL, product, GetParam()); }
TEST_P(Rounding, DFMA) { checkDouble<isa::DFMAMods>("DFMA", Semantic::DFMA, mpfr_fma, GetParam()); }
INSTANTIATE_TEST_SUITE_P(Mpfr, Rounding,
                         testing::Values(isa::Round::RN, isa::Round::RM, isa::Round::RP, isa::Round::RZ));
