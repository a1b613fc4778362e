//===- Float.h - Single precision -----------------------------------------===//
// Architecture.md 4, float family: IEEE 754 bit-exact in every rounding mode, FMA
// fused, canonical NaN 0x7fffffff. The host's own arithmetic does the work:
// the binder sets its rounding mode around the lanes of a directed operation.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Double.h"

namespace leno::sem {

constexpr u32 bitsOf(f32 x) { return __builtin_bit_cast(u32, x); }
constexpr f32 floatOf(u32 bits) { return __builtin_bit_cast(f32, bits); }
inline constexpr u32 canonicalNan = 0x7fffffff;

/// A subnormal becomes a zero of its sign.
constexpr f32 flushed(f32 x) { return (bitsOf(x) & 0x7f800000) == 0 ? floatOf(bitsOf(x) & 0x80000000) : x; }

/// A source as its modifiers say: |x| first, then -x, then .FTZ. Signs are bits: a NaN keeps its payload.
constexpr f32 withSigns(f32 x, bool negate, bool absolute, bool flush) {
  u32 bits = (bitsOf(x) & ~(u32(absolute) << 31)) ^ (u32(negate) << 31);
  return flush ? flushed(floatOf(bits)) : floatOf(bits);
}

/// A result as its modifiers say: .FTZ, then .SAT to [0, 1] with NaN to +0.
inline f32 ranged(f32 x, bool flush, bool saturate) {
  if (flush)
    x = flushed(x);
  if (saturate) // -0 becomes +0, and so does NaN: it is not greater
    x = x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
  return x;
}
/// And then the one NaN.
inline f32 finished(f32 x, bool flush, bool saturate) {
  x = ranged(x, flush, saturate);
  return x == x ? x : floatOf(canonicalNan);
}

// `quick` is `lane` for all but rare values: where it may be wrong, `doubt` is not 0, and the engines ask
// `lane`. NaNs are rare, and what follows need not wait until it is known that there is none.

/// FADD: d = a + b.
struct FADD {
  static f32 lane(isa::FADDMods m, f32 a, f32 b) { return finished(sum(m, a, b), m.FTZ, m.SAT); }
  static f32 quick(isa::FADDMods m, f32 a, f32 b, u32 &doubt) {
    f32 x = ranged(sum(m, a, b), m.FTZ, m.SAT);
    doubt = x != x;
    return x;
  }

private:
  static f32 sum(isa::FADDMods m, f32 a, f32 b) {
    return withSigns(a, m.negA, m.absA, m.FTZ) + withSigns(b, m.negB, m.absB, m.FTZ);
  }
};

/// FMUL: d = a * b.
struct FMUL {
  static f32 lane(isa::FMULMods m, f32 a, f32 b) { return finished(product(m, a, b), m.FTZ, m.SAT); }
  static f32 quick(isa::FMULMods m, f32 a, f32 b, u32 &doubt) {
    f32 x = ranged(product(m, a, b), m.FTZ, m.SAT);
    doubt = x != x;
    return x;
  }

private:
  static f32 product(isa::FMULMods m, f32 a, f32 b) {
    return withSigns(a, m.negA, m.absA, m.FTZ) * withSigns(b, m.negB, m.absB, m.FTZ);
  }
};

/// FFMA: d = a * b + c, rounded once.
struct FFMA {
  static f32 lane(isa::FFMAMods m, f32 a, f32 b, f32 c) {
    return finished(fused(m.rnd, signedA(m, a), flushedB(m, b), signedC(m, c)), m.FTZ, m.SAT);
  }
  static f32 quick(isa::FFMAMods m, f32 a, f32 b, f32 c, u32 &doubt) {
    doubt = 0;
    f32 x = ranged(nearlyFused(signedA(m, a), flushedB(m, b), signedC(m, c), doubt), m.FTZ, m.SAT);
    doubt |= x != x;
    return x;
  }

private:
  static f32 signedA(isa::FFMAMods m, f32 a) { return withSigns(a, m.negA, false, m.FTZ); }
  static f32 flushedB(isa::FFMAMods m, f32 b) { return withSigns(b, false, false, m.FTZ); }
  static f32 signedC(isa::FFMAMods m, f32 c) { return withSigns(c, m.negC, false, m.FTZ); }
#if defined(__FMA__) || defined(__FP_FAST_FMAF)
  static f32 fused(isa::Round, f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); }
  static f32 nearlyFused(f32 a, f32 b, f32 c, u32 &) { return __builtin_fmaf(a, b, c); }
#else
  /// The library's function, on a host of this kind, takes 50 times as long. The product is exact in double.
  /// To nearest, a sum that is not exact gets an odd last bit, so that rounding it again to single sees that
  /// something lies beside it (S. Boldo and G. Melquiond, 2008); two roundings in the same direction are one.
  static f32 fused(isa::Round mode, f32 a, f32 b, f32 c) {
    f64 product = f64(a) * f64(b), sum = product + f64(c);
    if (mode == isa::Round::RN) {
      f64 part = sum - product, error = (product - (sum - part)) + (f64(c) - part);
      // Beside infinity and NaN the error is a NaN.
      u64 bits = bitsOf(sum), isInexact = error < 0.0 || error > 0.0 ? 1 : 0, change = isInexact & ~bits;
      u64 isTooFar = (bitsOf(error) ^ bits) >> 63; // from zero
      sum = doubleOf(bits + change - 2 * (change & isTooFar));
    }
    return f32(sum);
  }
  /// In half the time: the second rounding can only go wrong for a sum that lies halfway between two singles
  /// after the first, or becomes a subnormal single.
  static f32 nearlyFused(f32 a, f32 b, f32 c, u32 &doubt) {
    f64 sum = f64(a) * f64(b) + f64(c);
    bool isTie = (u32(bitsOf(sum)) & 0x1fffffff) == 0x10000000;
    bool isTiny = __builtin_fabs(sum) < 0x1p-125 && sum != 0;
    doubt = isTie || isTiny;
    return f32(sum);
  }
#endif
};

/// FMNMX: the minimum, or the maximum where the predicate is true [S1]. A NaN gives way to a number (IEEE 754
/// minimumNumber, maximumNumber), with .NaN a number to a NaN (minimum, maximum); -0 < +0.
struct FMNMX {
  static f32 lane(isa::FMNMXMods m, f32 a, f32 b, bool maximum) {
    f32 x = withSigns(a, m.negA, m.absA, m.FTZ), y = withSigns(b, m.negB, m.absB, m.FTZ);
    bool less = x < y || (x == y && bitsOf(x) >> 31 > bitsOf(y) >> 31);
    bool takesX = m.NaN ? x != x || (y == y && less != maximum) : y != y || (x == x && less != maximum);
    return finished(takesX ? x : y, false, false);
  }
};

} // namespace leno::sem
