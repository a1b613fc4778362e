// C's complex numbers for kernels.
#ifndef LENO_COMPLEX_H
#define LENO_COMPLEX_H

#include <math.h>

#define complex _Complex
#define _Complex_I (__extension__ 1.0fi)
#define I _Complex_I
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))

#define LENO_COMPLEX(type, suffix)                                                                           \
  static inline type creal##suffix(type _Complex z) { return __real__ z; }                                   \
  static inline type cimag##suffix(type _Complex z) { return __imag__ z; }                                   \
  static inline type _Complex conj##suffix(type _Complex z) { return ~z; }                                   \
  static inline type cabs##suffix(type _Complex z) { return hypot##suffix(__real__ z, __imag__ z); }         \
  static inline type carg##suffix(type _Complex z) { return atan2##suffix(__imag__ z, __real__ z); }         \
  static inline type _Complex cexp##suffix(type _Complex z) {                                                \
    type size = exp##suffix(__real__ z);                                                                     \
    return __builtin_complex(size * cos##suffix(__imag__ z), size * sin##suffix(__imag__ z));                \
  }
LENO_COMPLEX(double, )
LENO_COMPLEX(float, f)
#undef LENO_COMPLEX

#endif
