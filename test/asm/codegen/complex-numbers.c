// C's complex numbers against the host's: products and quotients of whole numbers, which are exact, and what infinities make of them
// (annex G: a product or quotient with an infinity is one, also where its parts are no numbers).
// RUN: clang-22 -O1 -ffp-contract=off -DHOST %s -o %t.host -lm && %t.host > %t.want.bin
// RUN: %leno-cc -ffp-contract=off --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 32 --arg out:u32[512]:%t.out.bin
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 -ffp-contract=off %s -o %t.0 && %leno-run %t.0 --block 32 --arg out:u32[512]:%t.out0.bin
// RUN: cmp %t.out0.bin %t.want.bin
#include <complex.h>
#include <math.h>
#ifdef HOST
#include <stdio.h>
#define OUT
#define EXACT(x) 1 // its quotients of doubles are not
#undef CMPLX
#undef CMPLXF
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y)) // glibc has it for gcc alone
#define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#else
#include <leno/kernel.h>
#define OUT __global
#define EXACT(x) (x)
#endif

/// 0 to 2: no number, finite, infinite.
static unsigned kind(double _Complex z) {
  double a = creal(z), b = cimag(z);
  return isinf(a) || isinf(b) ? 2 : isnan(a) || isnan(b) ? 0 : 1;
}

static void lane(unsigned t, OUT unsigned *out) {
  float _Complex a = CMPLXF((int)t - 16, t % 7), b = CMPLXF(t % 5 + 1, -(int)(t % 3)), p = a * b;
  double _Complex c = CMPLX((double)t * 1000003, -77.0 * t), d = CMPLX(12345 - (int)t, t * 17), q = c * d;
  out[0] = (unsigned)(int)crealf(p) * 1000 + (unsigned)(int)cimagf(p);
  out[1] = p / b == a;
  out[2] = (unsigned)(long)creal(q) ^ (unsigned)(long)cimag(q);
  out[3] = EXACT(q / d == c);
  out[4] = cabsf(CMPLXF(3 * t, 4 * t)) == 5.0f * t;
  out[5] = conjf(a) * I == CMPLXF(cimagf(a), crealf(a));
  volatile float parts[] = {0, -0.0f, 1, -2.5f, INFINITY, -INFINITY, NAN, 5};
  unsigned kinds = 0, wide = 0;
  for (unsigned i = 0; i < 8; ++i) {
    float _Complex x = CMPLXF(parts[t % 8], parts[i]), y = CMPLXF(parts[(t / 8 + i) % 8], parts[(t + i) % 8]);
    double _Complex u = x, v = y;
    kinds = kinds * 9 + kind(x * y) * 3 + kind(x / y);
    wide = wide * 9 + kind(u * v) * 3 + kind(u / v);
  }
  out[6] = kinds;
  out[7] = wide;
  for (int i = 8; i < 16; ++i)
    out[i] = (unsigned)(int)roundf(100 * crealf(cexpf(CMPLXF(0.1f * i, t))));
}

#ifdef HOST
int main(void) {
  unsigned out[32][16];
  for (unsigned t = 0; t < 32; ++t)
    lane(t, out[t]);
  return fwrite(out, sizeof out, 1, stdout) != 1;
}
#else
__kernel void numbers(OUT unsigned *out) { lane(leno_tid_x(), out + 16 * leno_tid_x()); }
#endif
