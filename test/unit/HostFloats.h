/* A host that has changed its floating-point environment, in C and in C++: each thread has its own. */
#pragma once

#include <fenv.h>
#ifdef __x86_64__
#include <xmmintrin.h>
#endif

struct host_floats {
#ifdef __x86_64__
  unsigned vectors; /* MXCSR: the exceptions that have occurred are there, too */
  unsigned short x87;
#else
  int rounding;
#endif
};

static inline struct host_floats hostFloats(void) {
  struct host_floats now;
#ifdef __x86_64__
  now.vectors = _mm_getcsr();
  __asm__ volatile("fnstcw %0" : "=m"(now.x87));
#else
  now.rounding = fegetround();
#endif
  return now;
}

/* FE_UPWARD and the like; subnormals are zeros as operands and as results; an overflow has occurred. */
static inline void setHostFloats(int rounding) {
  feclearexcept(FE_ALL_EXCEPT);
  fesetround(rounding);
#ifdef __x86_64__
  _mm_setcsr(_mm_getcsr() | 0x8040 | _MM_EXCEPT_OVERFLOW);
#endif
}

/* The same, and any exception ends the process with SIGFPE: not even 1.0 / 3 is allowed. */
static inline void setTrappingHostFloats(int rounding) {
  setHostFloats(rounding);
#ifdef __x86_64__
  _mm_setcsr((_mm_getcsr() & ~_MM_EXCEPT_MASK) & ~_MM_MASK_MASK);
#endif
}

static inline int hostFloatsAre(struct host_floats before) {
  struct host_floats now = hostFloats();
#ifdef __x86_64__
  return now.vectors == before.vectors && now.x87 == before.x87;
#else
  return now.rounding == before.rounding;
#endif
}
