// What C's operators need that is no instruction: the code generator calls these by their names
// (Library.cpp). Integer quotients come from reciprocals; those of doubles are rounded as IEEE 754 says.
#include "device.h"

#define OPERATOR __attribute__((always_inline))

// 1 / b to 2^-46, of an integer that is not 0.
INNER double reciprocalOf(double b) {
  double r = reciprocal((float)b);
  return __builtin_fma(r, __builtin_fma(-b, r, 1.0), r);
}

// The product lies within a * 2^-46 of the quotient, and so at most one below it when it is cut.
OPERATOR uint leno_udiv32(uint a, uint b) {
  uint q = (uint)((double)a * reciprocalOf(b));
  return a - q * b >= b ? q + 1 : q;
}
OPERATOR uint leno_urem32(uint a, uint b) {
  uint q = (uint)((double)a * reciprocalOf(b)), r = a - q * b;
  return r >= b ? r - b : r;
}
INNER uint sized(int a) { return a < 0 ? 0u - (uint)a : (uint)a; }
OPERATOR int leno_sdiv32(int a, int b) {
  uint q = leno_udiv32(sized(a), sized(b));
  return (int)((a ^ b) < 0 ? 0u - q : q);
}
OPERATOR int leno_srem32(int a, int b) {
  uint r = leno_urem32(sized(a), sized(b));
  return (int)(a < 0 ? 0u - r : r);
}

// A first quotient from below, off by less than 2^16, and a second of what is left.
INNER ulong divide64(ulong a, ulong b, ulong *rest) {
  double wide = (double)b, r = reciprocalOf(wide);
  r = __builtin_fma(r, __builtin_fma(-wide, r, 1.0), r) * (1.0 - 0x1p-50);
  ulong q = (ulong)((double)a * r), left = a - q * b;
  ulong more = (ulong)((double)left * r);
  q += more;
  left -= more * b;
  if (left >= b) {
    ++q;
    left -= b;
  }
  *rest = left;
  return q;
}
ulong leno_udiv64(ulong a, ulong b) {
  ulong rest;
  if ((a | b) >> 32 == 0)
    return leno_udiv32((uint)a, (uint)b);
  return divide64(a, b, &rest);
}
ulong leno_urem64(ulong a, ulong b) {
  ulong rest;
  if ((a | b) >> 32 == 0)
    return leno_urem32((uint)a, (uint)b);
  divide64(a, b, &rest);
  return rest;
}
INNER ulong sized64(long a) { return a < 0 ? 0ul - (ulong)a : (ulong)a; }
long leno_sdiv64(long a, long b) {
  ulong q = leno_udiv64(sized64(a), sized64(b));
  return (long)((a ^ b) < 0 ? 0ul - q : q);
}
long leno_srem64(long a, long b) {
  ulong r = leno_urem64(sized64(a), sized64(b));
  return (long)(a < 0 ? 0ul - r : r);
}

//===--- Doubles ---------------------------------------------------------------===//

enum { Bias = 1023 };
#define FRACTION 0xffffffffffffful
#define HIDDEN 0x10000000000000ul
#define QUIET 0x7ff8000000000000ul

INNER int exponentOf(ulong bits) { return (int)(bits >> 52 & 0x7ff); }
/// The fraction with its leading bit, and the exponent that goes with it, of a number that is finite and not
/// 0.
INNER ulong normalized(ulong bits, int *exponent) {
  *exponent = exponentOf(bits);
  bits &= FRACTION;
  if (*exponent)
    return bits | HIDDEN;
  int shift = __builtin_clzl(bits) - 11;
  *exponent = 1 - shift;
  return bits << shift;
}

// Zeros, infinities, NaNs, subnormal operands and results: bit by bit.
static __attribute__((noinline)) double divideSlowly(double a, double b) {
  ulong x = bitsOfDouble(a), y = bitsOfDouble(b), sign = (x ^ y) & 1ul << 63;
  ulong magnitude = x & ~(1ul << 63), other = y & ~(1ul << 63), infinity = 0x7fful << 52;
  if (magnitude > infinity || other > infinity || (magnitude == 0 && other == 0) ||
      (magnitude == infinity && other == infinity))
    return doubleOf(QUIET);
  if (magnitude == infinity || other == 0)
    return doubleOf(sign | infinity);
  if (magnitude == 0 || other == infinity)
    return doubleOf(sign);
  int ea, eb;
  ulong ma = normalized(x, &ea), mb = normalized(y, &eb);
  int e = ea - eb + Bias;
  if (ma < mb) {
    ma <<= 1;
    --e;
  }
  ulong q = 0; // 55 bits: the fraction with its leading bit, and two more
  for (int i = 0; i < 55; ++i) {
    q <<= 1;
    if (ma >= mb) {
      ma -= mb;
      q |= 1;
    }
    ma <<= 1;
  }
  if (e >= 0x7ff)
    return doubleOf(sign | infinity);
  q = q << 1 | (ma != 0); // three bits to round by
  if (e < 1) {
    int shift = 1 - e;
    q = shift > 60 ? 1 : q >> shift | ((q & ((1ul << shift) - 1)) != 0);
    e = 1;
  }
  ulong rounded = (q >> 3) + ((q & 4) && (q & 11) ? 1 : 0);
  return doubleOf(sign | (((ulong)(e - 1) << 52) + rounded)); // a carry goes into the exponent
}

// Fractions between 1 and 2, three steps of Newton's, whose last one gives 1/b to nearest but for the largest
// fraction, and Markstein's last one, which then rounds once.
double leno_fdiv64(double a, double b) {
  ulong x = bitsOfDouble(a), y = bitsOfDouble(b);
  int ea = exponentOf(x), eb = exponentOf(y);
  if ((uint)(ea - 523) > 1000 || (uint)(eb - 523) > 1000 || (uint)(ea - eb + 900) > 1800 ||
      (y & FRACTION) == FRACTION)
    return divideSlowly(a, b);
  ulong one = (ulong)Bias << 52;
  double ma = doubleOf((x & FRACTION) | one), mb = doubleOf((y & FRACTION) | one);
  double r = reciprocal((float)mb);
  for (int i = 0; i < 3; ++i)
    r = __builtin_fma(r, __builtin_fma(-mb, r, 1.0), r);
  double q = ma * r;
  q = __builtin_fma(__builtin_fma(-mb, q, ma), r, q);
  q = __builtin_fma(__builtin_fma(-mb, q, ma), r, q);
  return q * doubleOf(((x ^ y) & 1ul << 63) | (ulong)(ea - eb + Bias) << 52);
}

double leno_sqrt64(double a) {
  ulong x = bitsOfDouble(a);
  if (x << 1 == 0 || x == 0x7fful << 52)
    return a;
  if (x > 0x7fful << 52)
    return doubleOf(QUIET);
  int e;
  ulong m = normalized(x, &e);
  e -= Bias;
  double v = doubleOf((m & FRACTION) | (ulong)(Bias + (e & 1)) << 52); // from 1 to 4
  double h = leno_reciprocal_root((float)v), g = v * h;
  h *= 0.5;
  for (int i = 0; i < 2; ++i) {
    double r = __builtin_fma(-g, h, 0.5);
    g = __builtin_fma(g, r, g);
    h = __builtin_fma(h, r, h);
  }
  g = __builtin_fma(__builtin_fma(-g, g, v), h, g);
  return g * doubleOf((ulong)(Bias + (e >> 1)) << 52);
}
