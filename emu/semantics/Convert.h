//===- Convert.h - Between integers and floats ----------------------------===//
// machine.md 4, conversion: F2I clamps, NaN gives 0. Source b in both.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Float.h"

namespace leno::sem {

/// The low bits of a register as an integer of that format.
constexpr s64 integerOf(isa::IntType type, u32 x) {
  switch (type) {
  case isa::IntType::S32:
    return s32(x);
  case isa::IntType::U32:
    return x;
  case isa::IntType::S16:
    return int16_t(x);
  case isa::IntType::U16:
    return u16(x);
  case isa::IntType::S8:
    return int8_t(x);
  case isa::IntType::U8:
    return u8(x);
  }
  return 0;
}

/// I2F: correctly rounded by .rnd (the binder sets the host's mode).
struct I2F {
  static f32 lane(isa::I2FMods m, u32, u32 b) {
    // Both halves convert exactly on every host and their sum rounds once. A
    // host's own unsigned conversion may turn 0 into -0 when rounding down.
    s64 value = integerOf(m.src, b);
    return f32(s32(value >> 16)) * 65536.0f + f32(s32(value & 0xffff));
  }
};

/// F2I: rounds by .rnd, then clamps to the destination's range, which is
/// stored sign- or zero-extended. The rounding is exact arithmetic, so the
/// host's rounding mode does not matter.
struct F2I {
  static constexpr bool ignoresHostRounding = true;

  static u32 lane(isa::F2IMods m, u32, f32 b) {
    f32 x = withSigns(b, m.negB, m.absB, m.FTZ);
    f32 whole = rounded(m.rnd, x);
    f32 low = lowest(m.dst), past = pastHighest(m.dst);
    // Compare before converting: a float outside the range has no integer in C++.
    s64 value = whole >= past ? s64(past) - 1 : whole >= low ? s64(whole) : s64(low);
    return x == x ? u32(value) : 0;
  }

private:
  static f32 rounded(isa::Round mode, f32 x) {
    switch (mode) {
    case isa::Round::RN:
      return __builtin_roundevenf(x);
    case isa::Round::RM:
      return __builtin_floorf(x);
    case isa::Round::RP:
      return __builtin_ceilf(x);
    case isa::Round::RZ:
      return __builtin_truncf(x);
    }
    return x;
  }
  static constexpr f32 lowest(isa::IntType type) {
    switch (type) {
    case isa::IntType::S32:
      return -0x1p31f;
    case isa::IntType::S16:
      return -0x1p15f;
    case isa::IntType::S8:
      return -0x1p7f;
    default:
      return 0.0f;
    }
  }
  static constexpr f32 pastHighest(isa::IntType type) {
    switch (type) {
    case isa::IntType::S32:
      return 0x1p31f;
    case isa::IntType::U32:
      return 0x1p32f;
    case isa::IntType::S16:
      return 0x1p15f;
    case isa::IntType::U16:
      return 0x1p16f;
    case isa::IntType::S8:
      return 0x1p7f;
    case isa::IntType::U8:
      return 0x1p8f;
    }
    return 0.0f;
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
