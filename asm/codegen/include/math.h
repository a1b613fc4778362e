// C's mathematics for kernels: the device library's functions by C's names.
#ifndef LENO_MATH_H
#define LENO_MATH_H

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define HUGE_VAL __builtin_inf()
#define HUGE_VALF __builtin_inff()
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)

#define LENO_OF_ONE(name)                                                                                    \
  double name(double x);                                                                                     \
  float name##f(float x);
#define LENO_OF_TWO(name)                                                                                    \
  double name(double x, double y);                                                                           \
  float name##f(float x, float y);
LENO_OF_ONE(acos)
LENO_OF_ONE(acosh)
LENO_OF_ONE(asin)
LENO_OF_ONE(asinh)
LENO_OF_ONE(atan)
LENO_OF_ONE(atanh)
LENO_OF_ONE(cbrt)
LENO_OF_ONE(ceil)
LENO_OF_ONE(cos)
LENO_OF_ONE(cosh)
LENO_OF_ONE(erf)
LENO_OF_ONE(erfc)
LENO_OF_ONE(exp)
LENO_OF_ONE(exp2)
LENO_OF_ONE(exp10)
LENO_OF_ONE(expm1)
LENO_OF_ONE(fabs)
LENO_OF_ONE(floor)
LENO_OF_ONE(lgamma)
LENO_OF_ONE(log)
LENO_OF_ONE(log10)
LENO_OF_ONE(log1p)
LENO_OF_ONE(log2)
LENO_OF_ONE(logb)
LENO_OF_ONE(nearbyint)
LENO_OF_ONE(rint)
LENO_OF_ONE(round)
LENO_OF_ONE(sin)
LENO_OF_ONE(sinh)
LENO_OF_ONE(sqrt)
LENO_OF_ONE(tan)
LENO_OF_ONE(tanh)
LENO_OF_ONE(tgamma)
LENO_OF_ONE(trunc)
LENO_OF_TWO(atan2)
LENO_OF_TWO(copysign)
LENO_OF_TWO(fdim)
LENO_OF_TWO(fmax)
LENO_OF_TWO(fmin)
LENO_OF_TWO(fmod)
LENO_OF_TWO(hypot)
LENO_OF_TWO(nextafter)
LENO_OF_TWO(pow)
LENO_OF_TWO(remainder)
#undef LENO_OF_ONE
#undef LENO_OF_TWO
double fma(double x, double y, double z);
float fmaf(float x, float y, float z);
double ldexp(double x, int exponent);
float ldexpf(float x, int exponent);

// With pointers, or results that are no floats: by OpenCL C's symbols.
double frexp(double x, int *exponent) __asm__("_Z5frexpdPi");
float frexpf(float x, int *exponent) __asm__("_Z5frexpfPi");
double modf(double x, double *whole) __asm__("_Z4modfdPd");
float modff(float x, float *whole) __asm__("_Z4modffPf");
int ilogb(double x) __asm__("_Z5ilogbd");
int ilogbf(float x) __asm__("_Z5ilogbf");
static inline double scalbn(double x, int exponent) { return ldexp(x, exponent); }
static inline float scalbnf(float x, int exponent) { return ldexpf(x, exponent); }
static inline long lround(double x) { return (long)round(x); }
static inline long lroundf(float x) { return (long)roundf(x); }
static inline long lrint(double x) { return (long)rint(x); }
static inline long lrintf(float x) { return (long)rintf(x); }
static inline void sincos(double x, double *sine, double *cosine) { *sine = sin(x), *cosine = cos(x); }
static inline void sincosf(float x, float *sine, float *cosine) { *sine = sinf(x), *cosine = cosf(x); }

#endif
