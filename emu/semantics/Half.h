//===- Half.h - Half precision: one in the low half of a register, or two --===//
// Conversions by integer arithmetic: hosts without F16C give the same bits,
// and the rounding is the instruction's, not the host's.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Double.h"
#include "emu/semantics/Float.h"

namespace leno::sem {

inline constexpr u32 canonicalHalfNan = 0x7fff;

/// The value of a half: every one is a single.
constexpr f32 floatOfHalf(u32 bits) {
  u32 sign = (bits & 0x8000) << 16, magnitude = bits & 0x7fff;
  u32 shifted = magnitude << 13; // to the place of a single's fraction
  if (magnitude >= 0x7c00)
    return floatOf(sign | 0x7f800000 | shifted);
  if (magnitude >= 0x0400)
    return floatOf(sign | (shifted + ((127 - 15) << 23)));
  // Subnormal: magnitude * 2^-24, an exact product.
  return floatOf(sign | bitsOf(f32(s32(magnitude)) * 0x1p-24f));
}

/// x rounded once to half precision.
constexpr u32 halfOf(f64 x, isa::Round mode) {
  u64 bits = bitsOf(x);
  u32 sign = u32(bits >> 63) << 15;
  u64 magnitude = bits & 0x7fffffffffffffff;
  if (magnitude > 0x7ff0000000000000)
    return canonicalHalfNan;
  if (magnitude == 0x7ff0000000000000)
    return sign | 0x7c00;
  int exponent = int(magnitude >> 52) - 1023;
  // A subnormal double is far below the smallest half; its fraction may count as one with an implied bit.
  u64 significand = (magnitude & 0x000fffffffffffff) | (magnitude ? u64(1) << 52 : 0);
  int drop = 42 + (exponent < -14 ? -14 - exponent : 0); // bits below the last one of the result
  drop = drop > 60 ? 60 : drop;
  u64 whole = significand >> drop, rest = significand & ((u64(1) << drop) - 1), tie = u64(1) << (drop - 1);
  bool up = mode == isa::Round::RN   ? rest > tie || (rest == tie && (whole & 1))
            : mode == isa::Round::RM ? sign && rest
            : mode == isa::Round::RP ? !sign && rest
                                     : false;
  // The carry of a fraction of all ones moves on into the exponent, as it should.
  s64 result = s64(whole + up) + (exponent < -14 ? 0 : s64(exponent + 14) * 1024);
  if (result >= 0x7c00) {
    bool toInfinity = mode == isa::Round::RN || mode == (sign ? isa::Round::RM : isa::Round::RP);
    result = toInfinity ? 0x7c00 : 0x7bff;
  }
  return sign | u32(result);
}

//===--- Packed halves ----------------------------------------------------===//

/// What is done with each half of a word: sources, signs and .FTZ, then one rounding, .FTZ and .SAT.
struct HalfRule {
  isa::Round mode;
  bool flush, saturate;

  /// The value of a source's low half.
  constexpr f64 source(u32 bits, bool negate, bool absolute) const {
    bits = (bits & 0xffff & ~(u32(absolute) << 15)) ^ (u32(negate) << 15);
    return floatOfHalf(flush && !(bits & 0x7c00) ? bits & 0x8000 : bits);
  }
  constexpr u32 result(f64 exact) const {
    u32 bits = halfOf(exact, mode);
    if (flush && !(bits & 0x7c00))
      bits &= 0x8000;
    if (saturate) // patterns above 0x7c00 are NaNs or have a sign
      bits = bits > 0x7c00 ? 0 : bits > 0x3c00 ? 0x3c00 : bits;
    return bits;
  }
  /// x + y, exact but for an odd last bit that stands for all that is beside it (Boldo and Melquiond): 53
  /// bits are enough of those for any rounding to 11. The host rounds to nearest.
  constexpr f64 sum(f64 x, f64 y) const {
    f64 sum = x + y, part = sum - x, error = (x - (sum - part)) + (y - part);
    if (sum == 0.0)
      return mode == isa::Round::RM && (bitsOf(x) | bitsOf(y)) >> 63 ? -0.0 : sum;
    u64 bits = bitsOf(sum), isInexact = error < 0.0 || error > 0.0 ? 1 : 0, change = isInexact & ~bits;
    u64 isTooFar = (bitsOf(error) ^ bits) >> 63; // from zero
    return doubleOf(bits + change - 2 * (change & isTooFar));
  }
};
template <class F> constexpr u32 eachHalf(F half) { return half(0) | half(16) << 16; }

/// HADD2: d = a + b in each half.
struct HADD2 {
  static constexpr bool ignoresHostRounding = true;
  static constexpr u32 lane(isa::HADD2Mods m, u32 a, u32 b) {
    HalfRule rule{m.rnd, m.FTZ, m.SAT};
    return eachHalf([=](unsigned at) {
      return rule.result(
          rule.sum(rule.source(a >> at, m.negA, m.absA), rule.source(b >> at, m.negB, m.absB)));
    });
  }
};

/// HMUL2: d = a * b in each half; the product is exact in double.
struct HMUL2 {
  static constexpr bool ignoresHostRounding = true;
  static constexpr u32 lane(isa::HMUL2Mods m, u32 a, u32 b) {
    HalfRule rule{m.rnd, m.FTZ, m.SAT};
    return eachHalf([=](unsigned at) {
      return rule.result(rule.source(a >> at, m.negA, m.absA) * rule.source(b >> at, m.negB, m.absB));
    });
  }
};

/// HFMA2: d = a * b + c in each half, rounded once.
struct HFMA2 {
  static constexpr bool ignoresHostRounding = true;
  static constexpr u32 lane(isa::HFMA2Mods m, u32 a, u32 b, u32 c) {
    HalfRule rule{m.rnd, m.FTZ, m.SAT};
    return eachHalf([=](unsigned at) {
      f64 product = rule.source(a >> at, m.negA, false) * rule.source(b >> at, false, false);
      return rule.result(rule.sum(product, rule.source(c >> at, m.negC, false)));
    });
  }
};

} // namespace leno::sem
