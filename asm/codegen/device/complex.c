// Products and quotients of C's complex numbers: clang calls these by compiler-rt's names where a part came
// out as no number, which infinities can do (C's annex G).
#include "device.h"

float __attribute__((overloadable)) logb(float x);
double __attribute__((overloadable)) logb(double x);
float __attribute__((overloadable)) ldexp(float x, int by);
double __attribute__((overloadable)) ldexp(double x, int by);

#define COMPLEX(type, suffix, product, quotient)                                                             \
  INNER type unit##suffix(type x) { return __builtin_copysign##suffix(__builtin_isinf(x) ? 1 : 0, x); }      \
  INNER type number##suffix(type x) { return __builtin_isnan(x) ? __builtin_copysign##suffix(0, x) : x; }    \
  INNER type _Complex pair##suffix(type re, type im) {                                                       \
    type _Complex z;                                                                                         \
    __real__ z = re;                                                                                         \
    __imag__ z = im;                                                                                         \
    return z;                                                                                                \
  }                                                                                                          \
  type _Complex product(type a, type b, type c, type d) {                                                    \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c, re = ac - bd, im = ad + bc;                         \
    if (!__builtin_isnan(re) || !__builtin_isnan(im))                                                        \
      return pair##suffix(re, im);                                                                           \
    int isInfinite = 0;                                                                                      \
    if (__builtin_isinf(a) || __builtin_isinf(b)) {                                                          \
      a = unit##suffix(a), b = unit##suffix(b), c = number##suffix(c), d = number##suffix(d);                \
      isInfinite = 1;                                                                                        \
    }                                                                                                        \
    if (__builtin_isinf(c) || __builtin_isinf(d)) {                                                          \
      c = unit##suffix(c), d = unit##suffix(d), a = number##suffix(a), b = number##suffix(b);                \
      isInfinite = 1;                                                                                        \
    }                                                                                                        \
    if (!isInfinite &&                                                                                       \
        (__builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc))) {        \
      a = number##suffix(a), b = number##suffix(b), c = number##suffix(c), d = number##suffix(d);            \
      isInfinite = 1;                                                                                        \
    }                                                                                                        \
    type big = __builtin_inf();                                                                              \
    return isInfinite ? pair##suffix(big * (a * c - b * d), big * (a * d + b * c)) : pair##suffix(re, im);   \
  }                                                                                                          \
  type _Complex quotient(type a, type b, type c, type d) {                                                   \
    type scale = logb(__builtin_fabs##suffix(c) > __builtin_fabs##suffix(d) || d != d ? c : d),              \
         big = __builtin_inf();                                                                              \
    int by = 0;                                                                                              \
    if (__builtin_isfinite(scale)) {                                                                         \
      by = (int)scale;                                                                                       \
      c = ldexp(c, -by), d = ldexp(d, -by);                                                                  \
    }                                                                                                        \
    type size = c * c + d * d;                                                                               \
    type re = ldexp((a * c + b * d) / size, -by), im = ldexp((b * c - a * d) / size, -by);                   \
    if (!__builtin_isnan(re) || !__builtin_isnan(im))                                                        \
      return pair##suffix(re, im);                                                                           \
    if (size == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b)))                                           \
      return pair##suffix(__builtin_copysign##suffix(big, c) * a, __builtin_copysign##suffix(big, c) * b);   \
    if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {      \
      a = unit##suffix(a), b = unit##suffix(b);                                                              \
      return pair##suffix(big * (a * c + b * d), big * (b * c - a * d));                                     \
    }                                                                                                        \
    if (__builtin_isinf(scale) && scale > 0 && __builtin_isfinite(a) && __builtin_isfinite(b)) {             \
      c = unit##suffix(c), d = unit##suffix(d);                                                              \
      return pair##suffix(0 * (a * c + b * d), 0 * (b * c - a * d));                                         \
    }                                                                                                        \
    return pair##suffix(re, im);                                                                             \
  }
COMPLEX(float, f, __mulsc3, __divsc3)
COMPLEX(double, , __muldc3, __divdc3)
