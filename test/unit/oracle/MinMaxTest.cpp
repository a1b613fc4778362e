#include "Lanes.h"
#include "Operands.h"
#include "Tally.h"
#include "gtest/gtest.h"

// FMNMX, DMNMX and the comparisons of FSETP, FSET, DSETP, DSET against MPFR.
using namespace leno;
using namespace leno::test;

namespace {

/// Calls check(engine, lanes, patterns of a, patterns of b) for 32 pairs at a time: all pairs of borders
/// first, then random ones, of which every fourth holds two equal magnitudes.
template <class Check> void eachWarp(const Format &format, Tally &tally, u64 variants, Check check) {
  std::vector<u64> borders = edges(format);
  for (auto [engine, pairs] : enginesFor(tupleCount())) {
    Patterns patterns(format, 3);
    Lanes lanes;
    u64 n = borders.size();
    for (u64 done = 0; done < pairs; done += laneCount) {
      u64 a[laneCount], b[laneCount];
      for (unsigned i = 0; i < laneCount; ++i) {
        u64 k = done + i;
        a[i] = k < n * n ? borders[k % n] : patterns.next();
        b[i] = k < n * n ? borders[k / n] : k % 4 ? patterns.next() : a[i] ^ (k & 4 ? format.sign() : 0);
        lanes.set(Lanes::A, i, a[i]), lanes.set(Lanes::B, i, b[i]);
      }
      lanes.selector() = u32(0x5a3c96e1 * done);
      if (!check(*engine, lanes, a, b))
        return;
      tally.addWarp(variants);
    }
  }
}

template <class Mods>
void checkMinMax(Semantic semantic, const Format &format, bool flush, bool nanWins = false) {
  Tally tally(format.bits == 64 ? "DMNMX RN" : "FMNMX RN", nanWins ? "NaN" : flush ? "FTZ" : "");
  Number x, y;
  Result result(format);
  eachWarp(format, tally, 1, [&](const Engine &engine, Lanes &lanes, const u64 *a, const u64 *b) {
    Mods mods;
    mods.NaN = nanWins;
    if constexpr (requires { mods.FTZ; })
      mods.FTZ = flush;
    lanes.run(engine, semantic, mods);
    for (unsigned i = 0; i < laneCount; ++i) {
      x.set(flush ? format.flushed(a[i]) : a[i], format), y.set(flush ? format.flushed(b[i]) : b[i], format);
      bool maximum = lanes.selector() >> i & 1;
      auto choose = maximum ? mpfr_max : mpfr_min; // each gives a number beside a NaN
      if (nanWins && mpfr_unordered_p(x, y))
        mpfr_set_nan(x), mpfr_set_nan(y);
      u64 expected = result.pattern(choose(result.number(), x, y, MPFR_RNDN), isa::Round::RN);
      u64 got = format.bits == 64 ? lanes.result(i) : lanes.word(i);
      if (got != expected) {
        ADD_FAILURE() << engine.name << (maximum ? " max " : " min ") << std::hex << a[i] << " " << b[i]
                      << " gives " << got << ", not " << expected;
        return false;
      }
    }
    return true;
  });
}

template <class SetP, class Set>
void checkTests(Semantic predicate, Semantic value, const Format &format, bool flush) {
  Tally tally(format.bits == 64 ? "DSETP tests" : "FSETP tests", flush ? "FTZ" : "");
  Number x, y;
  eachWarp(format, tally, 32, [&](const Engine &engine, Lanes &lanes, const u64 *a, const u64 *b) {
    lanes.selector() = allLanes;
    for (unsigned cmp = 0; cmp < 16; ++cmp) {
      SetP setP;
      Set set;
      setP.cmp = set.cmp = isa::FCmp(cmp);
      set.BF = cmp & 1;
      if constexpr (requires { set.FTZ; })
        setP.FTZ = set.FTZ = flush;
      lanes.run(engine, predicate, setP);
      LaneMask got = lanes.outcome();
      lanes.run(engine, value, set);
      for (unsigned i = 0; i < laneCount; ++i) {
        x.set(flush ? format.flushed(a[i]) : a[i], format),
            y.set(flush ? format.flushed(b[i]) : b[i], format);
        bool expected = ((cmp & 1) && mpfr_less_p(x, y)) || ((cmp & 2) && mpfr_equal_p(x, y)) ||
                        ((cmp & 4) && mpfr_greater_p(x, y)) || ((cmp & 8) && mpfr_unordered_p(x, y));
        u32 word = !expected ? 0 : set.BF ? 0x3f800000 : 0xffffffff;
        if ((got >> i & 1) != expected || lanes.word(i) != word) {
          ADD_FAILURE() << engine.name << " cmp " << cmp << std::hex << ": " << a[i] << " " << b[i]
                        << " gives " << (got >> i & 1) << " and " << lanes.word(i);
          return false;
        }
      }
    }
    return true;
  });
}

} // namespace

TEST(MinMax, FMNMX) { checkMinMax<isa::FMNMXMods>(Semantic::FMNMX, single, false); }
TEST(MinMax, FMNMXFlushing) { checkMinMax<isa::FMNMXMods>(Semantic::FMNMX, single, true); }
TEST(MinMax, FMNMXWithNaN) { checkMinMax<isa::FMNMXMods>(Semantic::FMNMX, single, false, true); }
TEST(MinMax, DMNMXWithNaN) { checkMinMax<isa::DMNMXMods>(Semantic::DMNMX, doubled, false, true); }
TEST(MinMax, DMNMX) { checkMinMax<isa::DMNMXMods>(Semantic::DMNMX, doubled, false); }
TEST(Comparison, Single) {
  checkTests<isa::FSETPMods, isa::FSETMods>(Semantic::FSETP, Semantic::FSET, single, false);
}
TEST(Comparison, SingleFlushing) {
  checkTests<isa::FSETPMods, isa::FSETMods>(Semantic::FSETP, Semantic::FSET, single, true);
}
TEST(Comparison, Double) {
  checkTests<isa::DSETPMods, isa::DSETMods>(Semantic::DSETP, Semantic::DSET, doubled, false);
}
