//===- Integer.h - Integer arithmetic -------------------------------------===//
// Architecture.md 4, integer family. CF after a subtraction means no borrow.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Flags.h"
#include "isa/Modifiers.h"

namespace leno::sem {

struct Result {
  u32 value;
  Flags flags;
};

struct WideResult {
  u64 value;
  Flags flags;
};

/// a + b + carry with a or b given inverted; ZF is ANDed with the old one under
/// .X (CHOICE), so that after the last word it tells of the whole number.
constexpr Result addWithFlags(u32 a, u32 b, u32 carry, bool extended, Flags old) {
  // carry is 0, 1 or 2: each step can overflow, not both one way.
  u32 partial = a + b, value = partial + carry;
  bool overflow = (s32((a ^ partial) & (b ^ partial)) < 0) != (s32(~partial & value) < 0);
  bool carried = (partial < a) | (value < partial);
  return {value, {overflow, carried, s32(value) < 0, value == 0 && (!extended || old.zero)}};
}

/// IADD, ISUB, IADD32I: d = ±a ± b (+ CF with .X). A negated source is ~x and a carry in, so
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

/// IADD3: d = ±a ± b ± c.
struct IADD3 {
  static constexpr u32 lane(isa::IADD3Mods m, u32 a, u32 b, u32 c) {
    return (m.negA ? 0 - a : a) + (m.negB ? 0 - b : b) + (m.negC ? 0 - c : c);
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

/// IMAD.WIDE: the whole of a * b, plus a pair; flags and .X as IADD's, of that 64-bit addition. Word by word:
/// lanes are then vectors of words.
struct IMADW {
  static constexpr WideResult lane(isa::IMADWMods m, u32 a, u32 b, u64 c, Flags old) {
    Result low = addWithFlags(a * b, u32(c), m.X && old.carry, m.X, old);
    Result high =
        addWithFlags(productWord(true, m.sign, a, b), u32(c >> 32), low.flags.carry, true, low.flags);
    return {u64(high.value) << 32 | low.value, high.flags};
  }
};

/// ISCADD: d = ±(a << shift) ± b; carry ins as IADD's.
struct ISCADD {
  static constexpr Result lane(isa::ISCADDMods m, u32 a, u32 b, Flags old) {
    u32 scaled = a << m.shift;
    return addWithFlags(m.negA ? ~scaled : scaled, m.negB ? ~b : b, u32(m.negA) + m.negB, false, old);
  }
};

/// LEA: d = (a << shift) + b (+ CF with .X).
struct LEA {
  static constexpr Result lane(isa::LEAMods m, u32 a, u32 b, Flags old) {
    return addWithFlags(a << m.shift, b, m.X && old.carry, m.X, old);
  }
};

/// LEA.HI: the upper word of c:a << shift, plus b (+ CF with .X).
struct LEAHI {
  static constexpr Result lane(isa::LEAHIMods m, u32 a, u32 b, u32 c, Flags old) {
    u32 upper = u32(((u64(c) << 32 | a) << m.shift) >> 32);
    return addWithFlags(upper, b, m.X && old.carry, m.X, old);
  }
};

/// IMNMX: the maximum where the predicate is true, else the minimum [S1].
struct IMNMX {
  static constexpr u32 lane(isa::IMNMXMods m, u32 a, u32 b, bool p) {
    bool less = m.u32 ? a < b : s32(a) < s32(b);
    return less != p ? a : b;
  }
};

} // namespace leno::sem
