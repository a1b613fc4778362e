//===- Convert.h - Between formats ----------------------------------------===//
// Architecture.md 4, conversion: F2I clamps, NaN gives 0. A conversion takes and
// gives the low bits of 64, as many as its formats have; the binder moves
// registers or pairs. The formats are constants there.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Half.h"

namespace leno::sem {

constexpr bool isWide(isa::IntFormat format) {
  return format == isa::IntFormat::S64 || format == isa::IntFormat::U64;
}
constexpr bool isWide(isa::FloatFormat format) { return format == isa::FloatFormat::F64; }
constexpr bool isSigned(isa::IntFormat format) { return unsigned(format) % 2 == 0; }
constexpr unsigned widthOf(isa::IntFormat format) {
  constexpr u8 widths[] = {32, 16, 8, 64};
  return widths[unsigned(format) / 2];
}

/// The low bits of x as an integer of that format, in 64 bits.
constexpr s64 integerOf(isa::IntFormat format, u64 x) {
  unsigned rest = 64 - widthOf(format);
  return isSigned(format) ? s64(x << rest) >> rest : s64(x << rest >> rest);
}

/// I2I's formats are the first of those.
constexpr s64 integerOf(isa::IntType format, u64 x) { return integerOf(isa::IntFormat(format), x); }

/// The value of a float source after its signs: a double holds every one. FTZ flushes singles only.
template <class M> constexpr f64 sourceValue(M m, u64 b) {
  switch (m.src) {
  case isa::FloatFormat::F32:
    return f64(withSigns(floatOf(u32(b)), m.negB, m.absB, m.FTZ));
  case isa::FloatFormat::F16:
    return f64(withSigns(floatOfHalf(u32(b) & 0xffff), m.negB, m.absB, false));
  case isa::FloatFormat::F64:
    return withSigns(doubleOf(b), m.negB, m.absB);
  }
  return 0;
}

inline f64 wholeNumber(isa::Round mode, f64 x) {
  switch (mode) {
  case isa::Round::RN:
    return __builtin_roundeven(x);
  case isa::Round::RM:
    return __builtin_floor(x);
  case isa::Round::RP:
    return __builtin_ceil(x);
  case isa::Round::RZ:
    return __builtin_trunc(x);
  }
  return x;
}

/// x rounded to the format (singles by the host, in the mode that the binder sets), then .FTZ, .SAT, the one
/// NaN.
inline u64 floatResult(isa::FloatFormat format, isa::Round mode, bool flush, bool saturate, f64 x) {
  if (saturate) // 0 and 1 are in every format: clamping before rounding is clamping after it
    x = x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
  switch (format) {
  case isa::FloatFormat::F32:
    return bitsOf(finished(f32(x), flush, false));
  case isa::FloatFormat::F16:
    return halfOf(x, mode);
  case isa::FloatFormat::F64:
    return bitsOf(finished(x));
  }
  return 0;
}

/// I2F: rounded once by .rnd.
struct I2F {
  static constexpr bool isWideSource(isa::I2FMods m) { return isWide(m.src); }
  static constexpr bool isWideResult(isa::I2FMods m) { return isWide(m.dst); }

  static u64 convert(isa::I2FMods m, u64 b) {
    s64 value = integerOf(m.src, b);
    if (!isWide(m.src) && m.dst == isa::FloatFormat::F32)
      return bitsOf(sumOfHalves<f32>(value));
    if (isWide(m.src) && m.dst != isa::FloatFormat::F64)
      value = shortened(value, m.src);
    // This sum is exact but for the way from 64 bits to a double.
    f64 high = isSigned(m.src) ? f64(s32(value >> 32)) : sumOfHalves<f64>(u32(u64(value) >> 32));
    return floatResult(m.dst, m.rnd, false, false, high * 0x1p32 + sumOfHalves<f64>(u32(value)));
  }

private:
  /// 33 bits, signed, rounded once. The halves are converted as signed integers, which is exact on every
  /// host: the steps in which some convert unsigned ones turn 0 into -0 when rounding down. (So the lower
  /// half is signed, too: of a number that cannot be negative the compiler would take the unsigned
  /// conversion.)
  template <class F> static F sumOfHalves(s64 value) {
    s32 low = int16_t(value), high = s32((value - low) >> 16);
    return F(high) * F(65536) + F(low);
  }
  /// Of more than 53 bits the low ones only matter to a shorter format's rounding in being there or not.
  static s64 shortened(s64 value, isa::IntFormat format) {
    u64 magnitude = isSigned(format) && value < 0 ? 0 - u64(value) : u64(value);
    u64 sticky = u64(value) & 0x7ff ? 0x800 : 0;
    return magnitude >> 53 ? s64((u64(value) & ~u64(0x7ff)) | sticky) : value;
  }
};

/// F2I: rounds by .rnd, then clamps to the destination's range, which is
/// stored sign- or zero-extended. The rounding is exact arithmetic, so the
/// host's rounding mode does not matter.
struct F2I {
  static constexpr bool ignoresHostRounding = true;
  static constexpr bool isWideSource(isa::F2IMods m) { return isWide(m.src); }
  static constexpr bool isWideResult(isa::F2IMods m) { return isWide(m.dst); }

  static u64 convert(isa::F2IMods m, u64 b) {
    f64 x = sourceValue(m, b), whole = wholeNumber(m.rnd, x);
    unsigned bits = widthOf(m.dst) - isSigned(m.dst);
    f64 past = f64(u64(1) << (bits - 1)) * 2.0, low = isSigned(m.dst) ? -past : 0.0;
    u64 highest = ~u64(0) >> (64 - bits), lowest = isSigned(m.dst) ? ~highest : 0;
    // Compare before converting: a float outside the range has no integer in C++.
    bool fits = whole < past && whole > low;
    f64 inside = fits ? whole : 0.0;
    u64 value = m.dst == isa::IntFormat::U64 && inside >= 0x1p63 ? u64(s64(inside - 0x1p63)) + (u64(1) << 63)
                                                                 : u64(s64(inside));
    u64 result = fits ? value : whole >= past ? highest : lowest;
    return x == x ? result : 0;
  }
};

/// F2F: to a whole number in the source's format if asked, then rounded once to the result's.
struct F2F {
  static constexpr bool isWideSource(isa::F2FMods m) { return isWide(m.src); }
  static constexpr bool isWideResult(isa::F2FMods m) { return isWide(m.dst); }

  static u64 convert(isa::F2FMods m, u64 b) {
    f64 x = sourceValue(m, b);
    switch (m.integral) {
    case isa::Integral::NONE:
      break;
    case isa::Integral::ROUND:
      x = wholeNumber(isa::Round::RN, x);
      break;
    case isa::Integral::FLOOR:
      x = wholeNumber(isa::Round::RM, x);
      break;
    case isa::Integral::CEIL:
      x = wholeNumber(isa::Round::RP, x);
      break;
    case isa::Integral::TRUNC:
      x = wholeNumber(isa::Round::RZ, x);
      break;
    }
    return floatResult(m.dst, m.rnd, m.FTZ, m.SAT, x);
  }
};

/// I2I: between integer formats; exact in 64 bits, then clamped (.SAT) or cut to the destination's bits.
struct I2I {
  static constexpr u32 lane(isa::I2IMods m, u32, u32 b) {
    s64 x = integerOf(m.src, b >> unsigned(m.part) * 8);
    x = m.absB && x < 0 ? -x : x;
    x = m.negB ? -x : x;
    if (!m.SAT)
      return u32(integerOf(m.dst, u32(x)));
    unsigned bits = 32 >> unsigned(m.dst) / 2; // the formats go by size, signed before unsigned
    bool isSigned = unsigned(m.dst) % 2 == 0;
    s64 low = isSigned ? -(s64(1) << (bits - 1)) : 0, high = low + (s64(1) << bits) - 1;
    return u32(x < low ? low : x > high ? high : x);
  }
};

} // namespace leno::sem
