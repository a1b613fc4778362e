//===- Transcendental.h - Powers, logarithms, sines, correctly rounded ----===//
// Each function is worked out in double first. When the error of that cannot
// change the rounding to single (all but about one argument in a million),
// that is the result; otherwise about 100 bits decide. No single but those
// singled out below has a result, or a value halfway between two results, that
// ends within 100 bits, so 100 bits do decide; test/unit/oracle holds every
// single against MPFR. No library function is called: every host gives the
// same bits. Arguments are finite and no NaN.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Double.h"
#include "emu/semantics/DoubleDouble.h"
#include "emu/semantics/Float.h"

namespace leno::sem {

/// True when every value within 2^-47 of y, relatively, rounds to the same single, which is then given.
inline bool isDecided(f64 y, f32 &result) {
  f64 error = y * 0x1p-47;
  result = f32(y + error);
  return bitsOf(f32(y - error)) == bitsOf(result);
}

inline constexpr DoubleDouble lnOf2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
inline constexpr DoubleDouble twoOverLnOf2{0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};
inline constexpr DoubleDouble halfPi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// 2^exponent, for exponents of normal doubles.
constexpr f64 powerOfTwo(int exponent) { return doubleOf(u64(exponent + 1023) << 52); }

/// a b + c, rounded once where that is one instruction.
inline f64 sumOfProduct(f64 a, f64 b, f64 c) {
#ifdef __FMA__
  return __builtin_fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// 1 / k!
struct ReciprocalFactorials {
  f64 of[20] = {1.0};
  constexpr ReciprocalFactorials() {
    f64 product = 1.0; // exact
    for (int k = 1; k < 20; ++k)
      of[k] = 1.0 / (product *= f64(k));
  }
};
inline constexpr ReciprocalFactorials reciprocalFactorials;

//===--- 2^x ---------------------------------------------------------------===//

/// e^t by its series, |t| < 0.35.
inline DoubleDouble preciseExponential(DoubleDouble t) {
  DoubleDouble sum{1.0};
  for (int k = 26; k > 0; --k)
    sum = DoubleDouble{1.0} + (sum * t) / f64(k);
  return sum;
}

inline f32 exponential2(f32 x) {
  if (x >= 128.0f)
    return __builtin_inff();
  if (x <= -150.0f) // 2^-150 lies halfway to the least subnormal: to even
    return 0.0f;
  f64 whole = f64(s64(f64(x) + (x < 0 ? -0.5 : 0.5))), fraction = f64(x) - whole; // both exact
  f64 scale = powerOfTwo(int(whole)), t = fraction * lnOf2.high;
  f64 sum = 0.0;
#pragma clang loop unroll(full)
  for (int k = 14; k >= 0; --k)
    sum = sumOfProduct(sum, t, reciprocalFactorials.of[k]);
  f32 result;
  if (isDecided(sum * scale, result))
    return result;
  DoubleDouble precise = preciseExponential(DoubleDouble{fraction} * lnOf2);
  return rounded({precise.high * scale, precise.low * scale});
}

//===--- log2 x ------------------------------------------------------------===//

/// The logarithm of 2^exponent * m is exponent + (2 / ln 2) artanh((m - 1) / (m + 1)).
inline f32 logarithm2(f32 x) {
  u64 bits = bitsOf(f64(x)); // subnormal singles are normal here
  int exponent = int(bits >> 52) - 1023;
  f64 m = doubleOf((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  if (m > 1.4142135) {
    m *= 0.5;
    ++exponent;
  }
  f64 s = (m - 1.0) / (m + 1.0), z = s * s, sum = 0.0;
#pragma clang loop unroll(full)
  for (int k = 25; k > 0; k -= 2)
    sum = sumOfProduct(z, sum, 1.0 / k);
  f32 result;
  if (isDecided(f64(exponent) + twoOverLnOf2.high * s * sum, result))
    return result;
  DoubleDouble preciseS = DoubleDouble{m - 1.0} / (m + 1.0), preciseZ = preciseS * preciseS, total{0.0};
  for (int k = 49; k > 0; k -= 2)
    total = DoubleDouble{1.0} / f64(k) + preciseZ * total;
  return rounded(DoubleDouble{f64(exponent)} + twoOverLnOf2 * (preciseS * total));
}

//===--- Sine and cosine ---------------------------------------------------===//

/// An angle as a multiple of pi/2, modulo 4, and a rest of at most pi/4.
struct ReducedAngle {
  unsigned quarter;
  DoubleDouble rest;
};

/// An unsigned number of 128 bits, scaled by 2^-128.
inline DoubleDouble fractionOf(unsigned __int128 bits) {
  constexpr u64 mask = (u64(1) << 43) - 1;
  f64 high = f64(u64(bits >> 86)) * 0x1p-42, middle = f64(u64(bits >> 43) & mask) * 0x1p-85;
  f64 low = f64(u64(bits) & mask) * 0x1p-128;
  DoubleDouble sum = orderedSum(high, middle);
  return orderedSum(sum.high, sum.low + low);
}

/// For x > 0: M. Payne and R. Hanek's reduction (1983). x is an integer m of 24 bits times 2^e; of 2/pi only
/// the bits matter that make less than a whole turn with it, and 192 of them leave 166 behind the point.
inline ReducedAngle reduced(f32 x) {
  if (x < 0.785f) // under pi/4
    return {0, {f64(x)}};
  // 32 zeros, then the bits of 2/pi behind the point.
  static constexpr u64 table[] = {0x00000000a2f9836e, 0x4e441529fc2757d1, 0xf534ddc0db629599,
                                  0x3c439041fe5163ab, 0xdebbc561b7246e3a, 0x424dd2e006492eea};
  int e = int(bitsOf(x) >> 23) - 150;
  u64 m = (bitsOf(x) & 0x007fffff) | 0x00800000;
  unsigned first = unsigned(e - 2 + 32), word = first / 64, shift = first % 64;
  auto window = [&](unsigned k) {
    return shift ? table[word + k] << shift | table[word + k + 1] >> (64 - shift) : table[word + k];
  };
  using u128 = unsigned __int128;
  u128 low = u128(window(2)) * m, middle = u128(window(1)) * m + (low >> 64);
  u64 top = window(0) * m + u64(middle >> 64); // modulo 2^64: whole turns
  unsigned quarter = unsigned(top >> 62);
  u128 fraction = (u128(top) << 64 | u64(middle)) << 2 | u64(low) >> 62;
  if (fraction >> 127) { // nearer to the next multiple, from below
    DoubleDouble rest = fractionOf(0 - fraction) * halfPi;
    return {quarter + 1, -rest};
  }
  return {quarter, fractionOf(fraction) * halfPi};
}

/// The same for 0 < x < 2^16, in double: W. Cody and W. Waite's reduction (1980). All parts of pi/2 but the
/// last have 33 bits: their products with the 17 bits of a quotient, and the first difference, are exact, and
/// the second one is where the rest is less than 2^-13.
inline f64 reducedNear(f32 x, unsigned &quarter) {
  constexpr f64 high = 0x1.921fb544p+0, middle = 0x1.0b4611a6p-34, low = 0x1.3198a2e037073p-69;
  quarter = unsigned(s32(f64(x) * 0x1.45f306dc9c883p-1 + 0.5));
  const f64 q = f64(s32(quarter));
  return ((f64(x) - q * high) - q * middle) - q * low;
}

/// sin r = r p(r^2) and cos r = p(r^2): the series by Horner's rule, from the term of r^last on.
template <int last> f64 circularSeries(f64 negativeSquare) {
  f64 sum = 0.0;
#pragma clang loop unroll(full)
  for (int k = last; k >= 0; k -= 2)
    sum = sumOfProduct(sum, negativeSquare, reciprocalFactorials.of[k]);
  return sum;
}
template <int last> DoubleDouble circularSeries(DoubleDouble negativeSquare) {
  DoubleDouble sum{1.0};
  for (int k = last; k > 1; k -= 2)
    sum = DoubleDouble{1.0} + (negativeSquare * sum) / (f64(k) * f64(k - 1));
  return sum;
}

/// Which of the two series a sine has that is so many quarter turns further, and its sign.
struct Quarter {
  bool isCosine, negate;
};
inline Quarter quarterOf(f32 x, unsigned quarter, unsigned advance) {
  bool isOdd = !advance && bitsOf(x) >> 31; // only the sine is an odd function
  quarter += advance;
  return {bool(quarter & 1), isOdd != bool(quarter & 2)};
}

inline f32 preciseCircular(f32 x, unsigned advance) {
  const ReducedAngle angle = reduced(floatOf(bitsOf(x) & 0x7fffffff));
  const Quarter its = quarterOf(x, angle.quarter, advance);
  DoubleDouble square = -(angle.rest * angle.rest);
  f32 result = rounded(its.isCosine ? circularSeries<32>(square) : angle.rest * circularSeries<33>(square));
  return its.negate ? -result : result;
}

/// The sine of x plus `advance` quarter turns.
inline f32 circular(f32 x, unsigned advance) {
  if (x == 0)
    return advance ? 1.0f : x;
  const f32 size = floatOf(bitsOf(x) & 0x7fffffff);
  unsigned quarter;
  f64 r;
  if (size < 65536.0f)
    r = reducedNear(size, quarter);
  else {
    const ReducedAngle angle = reduced(size);
    quarter = angle.quarter;
    r = angle.rest.high;
  }
  const Quarter its = quarterOf(x, quarter, advance);
  f64 z = -(r * r);
  f32 result;
  if (!isDecided(its.isCosine ? circularSeries<18>(z) : r * circularSeries<19>(z), result))
    return preciseCircular(x, advance);
  return its.negate ? -result : result;
}

//===--- Reciprocal square roots --------------------------------------------===//

/// 1 / sqrt(x) rounded to nearest even, for a single x with 0 < x < infinity: from halving the exponent two
/// steps of the series of (1 - e)^(-1/2) around what is left of 1 - x y^2. A fifth of the time that roots and
/// quotients of doubles take. The error is below 2^-50, with and without fused multiply-adds, and no single's
/// result lies so near a midpoint that this could change it (test/unit/oracle tries all significands).
inline f32 reciprocalRoot(f32 single) {
  const f64 x = f64(single);
  f64 y = doubleOf(0x5fe6eb50c7b537a9 - (bitsOf(x) >> 1));
  f64 e = sumOfProduct(-x * y, y, 1.0);
  y = sumOfProduct(y * e, sumOfProduct(sumOfProduct(0.3125, e, 0.375), e, 0.5), y);
  e = sumOfProduct(-x * y, y, 1.0);
  return f32(sumOfProduct(y * e, sumOfProduct(0.375, e, 0.5), y));
}

/// The same from an estimate that is off by 2^-14 of it at most, on hosts with fused multiply-adds: a step
/// leads to the result or to a single beside it. Of each of these what is left of 1 - x y^2, in two parts,
/// leads to the result: that holds for all significands and both parities of the exponent.
inline f32 reciprocalRoot(f32 x, f32 estimate) {
  auto sumOfProduct = [](f32 a, f32 b, f32 c) { return __builtin_fmaf(a, b, c); };
  const f32 e = sumOfProduct(-(x * estimate), estimate, 1.0f), y = sumOfProduct(0.5f * estimate, e, estimate);
  const f32 high = x * y, low = sumOfProduct(x, y, -high);
  const f32 rest = sumOfProduct(-low, y, sumOfProduct(-high, y, 1.0f));
  return sumOfProduct(y * rest, sumOfProduct(0.375f, rest, 0.5f), y);
}

/// 1 / sqrt(x) rounded to nearest even, for x > 0 with zeros in its low word: such a result is never within
/// 2^-76 of a midpoint.
inline f64 reciprocalRoot(f64 x) {
  int moved = 0;
  if (x < 0x1p-1022) { // subnormal
    x *= 0x1p54;
    moved = 54;
  }
  int exponent = int(bitsOf(x) >> 52) - 1023, half = exponent >> 1;
  f64 m = x * powerOfTwo(-half) * powerOfTwo(-half); // 1 <= m < 4
  f64 root = 1.0 / __builtin_elementwise_sqrt(m);
  DoubleDouble square = exactProduct(root, root), product = exactProduct(m, square.high);
  f64 error = ((1.0 - product.high) - product.low) - m * square.low; // 1 - m root^2
  return (root + root * error * 0.5) * powerOfTwo(moved / 2 - half);
}

} // namespace leno::sem
