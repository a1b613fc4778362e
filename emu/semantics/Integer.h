//===- Integer.h - Integer arithmetic and shifts --------------------------===//
// machine.md 4, integer family. CF after a subtraction means no borrow.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Lanes.h"
#include "isa/Modifiers.h"

namespace leno::sem {

/// The condition codes of one lane [S1].
struct Flags {
  bool overflow, carry, sign, zero;
};
struct Result {
  u32 value;
  Flags flags;
};

/// a + b + carry with a or b given inverted; ZF is ANDed with the old one under
/// .X (CHOICE), so that after the last word it tells of the whole number.
constexpr Result addWithFlags(u32 a, u32 b, u32 carry, bool extended, Flags old) {
  u64 sum = u64(a) + b + carry;
  s64 exact = s64(s32(a)) + s32(b) + carry;
  u32 value = u32(sum);
  return {value,
          {exact != s32(value), sum >> 32 != 0, s32(value) < 0, value == 0 && (!extended || old.zero)}};
}

/// IADD: d = ±a ± b (+ CF with .X). A negated source is ~x and a carry in, so
/// -a - b = ~a + ~b + 2, and ~a + ~b + 1 + CF with .X (CHOICE). .SAT clamps
/// the exact sum to the signed range; the flags are those of the unclamped sum.
struct IADD {
  static constexpr Result lane(isa::IADDMods m, u32 a, u32 b, Flags old) {
    u32 x = m.negA ? ~a : a, y = m.negB ? ~b : b;
    u32 carry = m.X ? u32(m.negA && m.negB) + old.carry : u32(m.negA) + m.negB;
    Result sum = addWithFlags(x, y, carry, m.X, old);
    if (m.SAT) {
      s64 exact = s64(s32(x)) + s32(y) + carry;
      sum.value = exact > INT32_MAX ? u32(INT32_MAX) : exact < INT32_MIN ? u32(INT32_MIN) : sum.value;
    }
    return sum;
  }
};

/// A word of the product of two factors, each signed or unsigned. The low word is the same either way.
constexpr u32 productWord(bool high, isa::MulSign sign, u32 a, u32 b) {
  if (!high)
    return a * b;
  u32 upper = u32((u64(a) * b) >> 32);
  // The signed factor -2^32 + a adds -2^32 b to the product: upper word - b.
  upper -= !(unsigned(sign) & 1) && s32(a) < 0 ? b : 0;
  upper -= !(unsigned(sign) & 2) && s32(b) < 0 ? a : 0;
  return upper;
}

/// IMUL: the low or (.HI) high word of a * b.
struct IMUL {
  static constexpr u32 lane(isa::IMULMods m, u32 a, u32 b) { return productWord(m.HI, m.sign, a, b); }
};

/// IMAD: a word of a * b, plus c; flags and .X as IADD's, of that last addition.
struct IMAD {
  static constexpr Result lane(isa::IMADMods m, u32 a, u32 b, u32 c, Flags old) {
    return addWithFlags(productWord(m.HI, m.sign, a, b), c, m.X && old.carry, m.X, old);
  }
};

/// SHL: amounts of 32 and more give 0; .W takes the amount modulo 32.
struct SHL {
  static constexpr u32 lane(isa::SHLMods m, u32 a, u32 b) { return m.W || b < 32 ? a << (b & 31) : 0; }
};

/// SHR: arithmetic, or logical with .u32. Amounts of 32 and more leave the sign, or 0; .W as SHL.
struct SHR {
  static constexpr u32 lane(isa::SHRMods m, u32 a, u32 b) {
    if (m.u32)
      return m.W || b < 32 ? a >> (b & 31) : 0;
    u32 amount = m.W ? b & 31 : b < 31 ? b : 31;
    return u32(s32(a) >> amount);
  }
};

} // namespace leno::sem
