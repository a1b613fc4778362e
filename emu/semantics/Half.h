//===- Half.h - Half precision, in the low half of a register -------------===//
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

} // namespace leno::sem
