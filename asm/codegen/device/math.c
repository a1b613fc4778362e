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
#define SINCOS(type, space)                                                                                  \
  API type sincos(type x, space type *cosine) {                                                              \
    *cosine = cos(x);                                                                                        \
    return sin(x);                                                                                           \
  }
#define SINCOS_OF(type)                                                                                      \
  SINCOS(type, ) SINCOS(type, __global) SINCOS(type, __local) SINCOS(type, __attribute__((address_space(5))))
    SINCOS_OF(float) SINCOS_OF(float2) SINCOS_OF(float3) SINCOS_OF(float4) SINCOS_OF(float8)
        SINCOS_OF(float16)

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
