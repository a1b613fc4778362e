// OpenCL C's functions of floats that MUFU makes exact or near it, and those that libclc leaves to the
// target. Bounds are those of the OpenCL C specification, 7.4; test/asm/codegen/math-bounds.test measures
// them.
#include "device.h"

#define BOTH(name) VECTORS1(name, float)
#define MUFU(name, builtin)                                                                                  \
  API float name(float x) { return builtin(x); }                                                             \
  BOTH(name)
MUFU(sqrt, __builtin_sqrtf)
MUFU(rsqrt, leno_reciprocal_root)
MUFU(sin, __builtin_sinf)
MUFU(cos, __builtin_cosf)
MUFU(exp2, __builtin_exp2f)
MUFU(log2, __builtin_log2f)

API float ldexp(float x, int n) {
  n = n > 300 ? 300 : n < -300 ? -300 : n;
  return (float)((double)x * doubleOf((ulong)(1023 + n) << 52));
}
VECTORS2(ldexp, float, int)
// In steps that stay normal, and a last one that rounds.
API double ldexp(double x, int n) {
  n = n > 4400 ? 4400 : n < -4400 ? -4400 : n;
  for (; n > 1023; n -= 1023)
    x *= 0x1p1023;
  for (; n < -1022; n += 969)
    x *= 0x1p-969; // 53 bits above the least: what it loses is lost in the end
  return x * doubleOf((ulong)(1023 + n) << 52);
}
VECTORS2(ldexp, double, int)

// 2^(x log2(base)): the exponent's whole part apart, its rest to 2^-48.
INNER float power(float x, float upper, float lower, float least, float most) {
  if (x > most)
    return __builtin_inff();
  if (x < least)
    return 0.0f;
  float whole = __builtin_rintf(x * upper);
  float rest = __builtin_fmaf(x, lower, __builtin_fmaf(x, upper, -whole));
  return ldexp(__builtin_exp2f(rest), (int)whole);
}
API float exp(float x) { return x != x ? x : power(x, 0x1.715476p+0f, 0x1.4ae0bep-26f, -104.0f, 88.8f); }
BOTH(exp)
API float exp10(float x) { return x != x ? x : power(x, 0x1.a934fp+1f, 0x1.2f346ep-24f, -46.0f, 38.6f); }
BOTH(exp10)
API float log(float x) { return __builtin_log2f(x) * 0x1.62e43p-1f; }
BOTH(log)
API float log10(float x) { return __builtin_log2f(x) * 0x1.344136p-2f; }
BOTH(log10)
API float tan(float x) { return __builtin_sinf(x) / __builtin_cosf(x); }
BOTH(tan)

// FFMA; libclc takes it for missing.
API float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
#define FMA(width)                                                                                           \
  API float##width fma(float##width x, float##width y, float##width z) {                                     \
    return __builtin_elementwise_fma(x, y, z);                                                               \
  }
FMA(2)
FMA(3) FMA(4) FMA(8) FMA(16)
INNER float sineAndCosine(float x, float *cosine) {
  *cosine = cos(x);
  return sin(x);
}
SECONDS(sincos, sineAndCosine, float, float)

#define ALIAS(name, value)                                                                                   \
  API float native_##name(float x) { return value; }                                                         \
  BOTH(native_##name)                                                                                        \
  API float half_##name(float x) { return value; }                                                           \
  BOTH(half_##name)
ALIAS(sqrt, sqrt(x)) ALIAS(rsqrt, rsqrt(x)) ALIAS(sin, sin(x)) ALIAS(cos, cos(x))
ALIAS(exp2, exp2(x)) ALIAS(log2, log2(x)) ALIAS(exp, exp(x)) ALIAS(exp10, exp10(x))
ALIAS(log, log(x)) ALIAS(log10, log10(x)) ALIAS(tan, tan(x)) ALIAS(recip, reciprocal(x))

// Away from 0 where it lies in the middle.
API float round(float x) {
  float whole = __builtin_truncf(x);
  return __builtin_copysignf(
      __builtin_fabsf(x - whole) >= 0.5f ? whole + __builtin_copysignf(1.0f, x) : whole, x);
}
VECTORS1(round, float)
API double round(double x) {
  double whole = __builtin_trunc(x);
  return __builtin_copysign(__builtin_fabs(x - whole) >= 0.5 ? whole + __builtin_copysign(1.0, x) : whole, x);
}
VECTORS1(round, double)

double leno_sqrt64(double x);
API double sqrt(double x) { return leno_sqrt64(x); }
VECTORS1(sqrt, double)
API double rsqrt(double x) { return 1.0 / leno_sqrt64(x); }
VECTORS1(rsqrt, double)

//===--- Around libclc's own, which CMakeLists.txt renames ---------------------------===//

// An even number as large has the same result, and libclc can count it.
INNER double withinReach(double y) { return __builtin_fabs(y) > 0x1p65 ? __builtin_copysign(0x1p65, y) : y; }
double leno_clc_pow(double x, double y);
double leno_clc_powr(double x, double y);
API double pow(double x, double y) { return leno_clc_pow(x, withinReach(y)); }
VECTORS2(pow, double, double)
API double powr(double x, double y) { return leno_clc_powr(x, __builtin_isinf(y) ? y : withinReach(y)); }
VECTORS2(powr, double, double)

// Stirling's series from 12 on; below it by the recurrence, and by the reflection for negative numbers. The
// result is the product of two factors, of which none is too large.
__attribute__((overloadable)) double exp(double x);
__attribute__((overloadable)) double sinpi(double x);
INNER double stirling(double from, double *second) {
  // x (x + 1) (x + 2) ..., and what each sum and product loses.
  double below = 1.0, lost = 0.0, x = from, lostOfX = 0.0;
  for (double n = 0.0; x < 12.0;) {
    double product = below * x;
    lost = lost * x + (__builtin_fma(below, x, -product) + below * lostOfX);
    below = product;
    n += 1.0;
    x = from + n;
    double added = x - from;
    lostOfX = (from - (x - added)) + (n - added);
  }
  double slope = (double)__builtin_log2f((float)x) * 0x1.62e42fefa39efp-1 - 0.5 / x;
  double r = 1.0 / x, s = r * r;
  double series =
      r *
      (1.0 / 12 + s * (-1.0 / 360 +
                       s * (1.0 / 1260 +
                            s * (-1.0 / 1680 + s * (1.0 / 1188 + s * (-691.0 / 360360 + s * (1.0 / 156)))))));
  double root = leno_clc_pow(x, 0.5 * x - 0.25);
  *second = root * exp(-x) * (0x1.40d931ff62706p+1 / below);
  return root * exp(series + lostOfX * slope - lost / below);
}
API double tgamma(double x) {
  double magnitude = __builtin_fabs(x), second;
  if (magnitude < 0x1p-60)
    return 1.0 / x;
  if (x < 0 && x == __builtin_trunc(x))
    return __builtin_nan("");
  if (x != x || x > 172.0)
    return x * __builtin_inf();
  if (x < -200.0)
    return 0.0;
  double first = stirling(magnitude, &second);
  return x > 0 ? first * second : -0x1.921fb54442d18p+1 / (x * sinpi(x)) / first / second;
}
VECTORS1(tgamma, double)
API float tgamma(float x) { return (float)tgamma((double)x); }
VECTORS1(tgamma, float)

// Results below the least normal number; remainders by subnormal ones: in double precision both are exact.
float leno_clc_erfc_f(float x);
__attribute__((overloadable)) double erfc(double x);
API float erfc(float x) { return x > 9.0f ? (float)erfc((double)x) : leno_clc_erfc_f(x); }
VECTORS1(erfc, float)
__attribute__((overloadable)) double fmod(double x, double y);
__attribute__((overloadable)) double remainder(double x, double y);
API float fmod(float x, float y) { return (float)fmod((double)x, (double)y); }
VECTORS2(fmod, float, float)
API float remainder(float x, float y) { return (float)remainder((double)x, (double)y); }
VECTORS2(remainder, float, float)

// Where the result is 0 its sign is the number's, which libclc loses in doubles.
#define KEEPS_ZERO(name)                                                                                     \
  double leno_clc_##name(double x);                                                                          \
  API double name(double x) { return x == 0 ? x : leno_clc_##name(x); }                                      \
  VECTORS1(name, double)
KEEPS_ZERO(sin)
KEEPS_ZERO(tan)
KEEPS_ZERO(asin)
KEEPS_ZERO(atan)
KEEPS_ZERO(asinpi)
KEEPS_ZERO(atanpi)
KEEPS_ZERO(erf)
KEEPS_ZERO(expm1)
double leno_clc_sincos(double x, PRIVATE double *cosine);
INNER double sineAndCosineWide(double x, double *cosine) {
  double sine = leno_clc_sincos(x, (PRIVATE double *)cosine);
  return x == 0 ? x : sine;
}
SECONDS(sincos, sineAndCosineWide, double, double)

// At whole numbers and halves, where the results are exact: the signs of their zeros [OpenCL C 3.0, 7.5.1].
#define IN_TURNS(type, suffix, whole)                                                                        \
  type leno_clc_sinpi_##suffix(type x);                                                                      \
  type leno_clc_cospi_##suffix(type x);                                                                      \
  type leno_clc_tanpi_##suffix(type x);                                                                      \
  API type sinpi(type x) {                                                                                   \
    type r = leno_clc_sinpi_##suffix(x);                                                                     \
    return r == 0 ? __builtin_copysign##whole((type)0, x) : r;                                               \
  }                                                                                                          \
  VECTORS1(sinpi, type)                                                                                      \
  API type cospi(type x) { return leno_clc_cospi_##suffix(x) + (type)0; }                                    \
  VECTORS1(cospi, type)                                                                                      \
  API type tanpi(type x) {                                                                                   \
    type r = leno_clc_tanpi_##suffix(x), half = x * (type)0.5;                                               \
    type sign = half == __builtin_trunc##whole(half) ? x : -x; /* of even and of odd numbers */              \
    return r == 0 ? __builtin_copysign##whole((type)0, sign) : r;                                            \
  }                                                                                                          \
  VECTORS1(tanpi, type)
IN_TURNS(float, f, f)
IN_TURNS(double, d, )

// Never 1: just below 0 it is the number before it.
#define FRACT(type, wide, whole, below)                                                                      \
  INNER type fract##wide(type x, type *floor) {                                                              \
    *floor = __builtin_floor##whole(x);                                                                      \
    type r = x - *floor;                                                                                     \
    r = r > (type)below ? (type)below : r;                                                                   \
    return x == 0 || __builtin_isinf(x) ? __builtin_copysign##whole((type)0, x) : r;                         \
  }                                                                                                          \
  SECONDS(fract, fract##wide, type, type)
FRACT(float, Single, f, 0x1.fffffep-1f)
FRACT(double, Double, , 0x1.fffffffffffffp-1)
FRACT(half, Half, f16, 0x1.ffcp-1f)

// The sign of gamma: 0 where it has none.
__attribute__((overloadable)) double log(double x);
#define LGAMMA(type, suffix, whole)                                                                          \
  type leno_clc_lgamma_##suffix(type x, PRIVATE int *sign);                                                  \
  INNER type lgamma_##suffix(type x, int *sign) {                                                            \
    type magnitude = __builtin_fabs##whole(x);                                                               \
    type r = leno_clc_lgamma_##suffix(x, (PRIVATE int *)sign);                                               \
    if (magnitude < (type)0x1p-60 && magnitude > 0)                                                          \
      r = -log(magnitude);                                                                                   \
    if (x <= 0 && x == __builtin_trunc##whole(x))                                                            \
      *sign = __builtin_isinf(x) ? 1 : 0;                                                                    \
    return __builtin_isinf(x) ? magnitude : r;                                                               \
  }                                                                                                          \
  SECONDS(lgamma_r, lgamma_##suffix, type, int)                                                              \
  API type lgamma(type x) {                                                                                  \
    int sign;                                                                                                \
    return lgamma_##suffix(x, &sign);                                                                        \
  }                                                                                                          \
  VECTORS1(lgamma, type)
LGAMMA(float, f, f)
LGAMMA(double, d, )
INNER half lgammaOfHalf(half x, int *sign) { return (half)lgamma_f((float)x, sign); }
SECONDS(lgamma_r, lgammaOfHalf, half, int)
API half lgamma(half x) { return (half)lgamma((float)x); }
VECTORS1(lgamma, half)

// In wider formats, where rounding to the result is all that is lost.
#define AS_FLOAT(name)                                                                                       \
  API half name(half x) { return (half)name((float)x); }                                                     \
  VECTORS1(name, half)
AS_FLOAT(rsqrt)
AS_FLOAT(tgamma)
AS_FLOAT(sinpi)
AS_FLOAT(cospi)
AS_FLOAT(tanpi)
__attribute__((overloadable)) double remquo(double x, double y, PRIVATE int *quotient);
INNER float remainderAndQuotient(float x, float y, int *quotient) {
  return (float)remquo((double)x, (double)y, (PRIVATE int *)quotient);
}
#define REMQUO_WIDTH(space, width)                                                                           \
  API float##width remquo(float##width x, float##width y, space int##width *quotient) {                      \
    float##width r;                                                                                          \
    int##width all;                                                                                          \
    for (int i = 0; i < width; ++i) {                                                                        \
      int q;                                                                                                 \
      r[i] = remainderAndQuotient(x[i], y[i], &q);                                                           \
      all[i] = q;                                                                                            \
    }                                                                                                        \
    *quotient = all;                                                                                         \
    return r;                                                                                                \
  }
#define REMQUO(space)                                                                                        \
  API float remquo(float x, float y, space int *quotient) {                                                  \
    int q;                                                                                                   \
    float r = remainderAndQuotient(x, y, &q);                                                                \
    *quotient = q;                                                                                           \
    return r;                                                                                                \
  }                                                                                                          \
  REMQUO_WIDTH(space, 2)                                                                                     \
  REMQUO_WIDTH(space, 3) REMQUO_WIDTH(space, 4) REMQUO_WIDTH(space, 8) REMQUO_WIDTH(space, 16)
REMQUO() REMQUO(__global) REMQUO(__local) REMQUO(PRIVATE)

// libclc's takes subnormal numbers for 0: those that roots are, and the least normal ones.
float leno_clc_rootn_f(float x, int n);
API float rootn(float x, int n) { return n == 1 ? x : n == -1 ? 1.0f / x : leno_clc_rootn_f(x, n); }
VECTORS2(rootn, float, int)

// The product's upper half with what the sum carries: libclc's leaves the carry out.
__attribute__((overloadable)) long mul_hi(long x, long y);
API long mad_sat(long x, long y, long z) {
  ulong product = (ulong)x * (ulong)y, sum = product + (ulong)z;
  long upper = mul_hi(x, y) + (z >> 63) + (sum < product);
  return upper == (long)sum >> 63 ? (long)sum : (long)(~0ul >> 1 ^ (ulong)(upper >> 63));
}
#define MAD_SAT(width)                                                                                       \
  API long##width mad_sat(long##width x, long##width y, long##width z) {                                     \
    long##width r;                                                                                           \
    for (int i = 0; i < width; ++i)                                                                          \
      r[i] = mad_sat((long)x[i], (long)y[i], (long)z[i]);                                                    \
    return r;                                                                                                \
  }
MAD_SAT(2) MAD_SAT(3) MAD_SAT(4) MAD_SAT(8) MAD_SAT(16)
