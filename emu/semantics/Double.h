//===- Double.h - Double precision ----------------------------------------===//
// Architecture.md 4, float family: IEEE 754 bit-exact in every rounding mode; f64
// never flushes; the one NaN is 0x7fffffffffffffff (CHOICE).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Flags.h"
#include "isa/Modifiers.h"

namespace leno::sem {

constexpr u64 bitsOf(f64 x) { return __builtin_bit_cast(u64, x); }
constexpr f64 doubleOf(u64 bits) { return __builtin_bit_cast(f64, bits); }
inline constexpr u64 canonicalDoubleNan = 0x7fffffffffffffff;

/// A source as its modifiers say: |x| first, then -x. Signs are bits: a NaN keeps its payload.
constexpr f64 withSigns(f64 x, bool negate, bool absolute) {
  return doubleOf((bitsOf(x) & ~(u64(absolute) << 63)) ^ (u64(negate) << 63));
}
/// A result: every NaN is the one NaN.
inline f64 finished(f64 x) { return x == x ? x : doubleOf(canonicalDoubleNan); }

/// DADD: d = a + b.
struct DADD {
  static f64 lane(isa::DADDMods m, f64 a, f64 b) {
    return finished(withSigns(a, m.negA, m.absA) + withSigns(b, m.negB, m.absB));
  }
};

/// DMUL: d = a * b.
struct DMUL {
  static f64 lane(isa::DMULMods m, f64 a, f64 b) {
    return finished(withSigns(a, m.negA, m.absA) * withSigns(b, m.negB, m.absB));
  }
};

/// DFMA: d = a * b + c, rounded once.
struct DFMA {
  static f64 lane(isa::DFMAMods m, f64 a, f64 b, f64 c) {
    return finished(__builtin_fma(withSigns(a, m.negA, false), b, withSigns(c, m.negC, false)));
  }
};

/// DMNMX: as FMNMX.
struct DMNMX {
  static f64 lane(isa::DMNMXMods m, f64 a, f64 b, bool maximum) {
    f64 x = withSigns(a, m.negA, m.absA), y = withSigns(b, m.negB, m.absB);
    bool less = x < y || (x == y && bitsOf(x) >> 63 > bitsOf(y) >> 63);
    bool takesX = m.NaN ? x != x || (y == y && less != maximum) : y != y || (x == x && less != maximum);
    return finished(takesX ? x : y);
  }
};

} // namespace leno::sem
