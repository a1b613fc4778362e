// Integers of all widths, floats and division, against the host's clang: the same source runs on both.
// RUN: clang-22 -O1 -ffp-contract=off -DHOST %s -o %t.host && %t.host > %t.want.bin
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 64 --arg out:u64[768]:%t.out.bin
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 64 --arg out:u64[768]:%t.out0.bin
// RUN: cmp %t.out0.bin %t.want.bin
#ifdef HOST
#include <stdio.h>
#define OUT
#else
#include <leno/kernel.h>
#define OUT __global
#endif
typedef unsigned long long u64;
static inline float quotient(unsigned t) {
  union { unsigned u; float f; } a, b;
  a.u = t * 0x9e3779b9u ^ t << 27;
  b.u = (t + 7) * 0x85ebca6bu;
  if (t < 8) { a.u = t & 1 ? 0 : 0x80000001u; b.u = t & 2 ? 0x7f800000u : t & 4 ? 0u : 0x00000003u; }
  return a.f / b.f;
}
static inline void all(unsigned t, OUT u64 *out) {
  u64 a = (u64)t << 33 ^ t * 0x9e3779b97f4a7c15ull, b = ~a * (t | 1) + t;
  union { float f; unsigned u; } q = { .f = quotient(t) };
  out[0] = a * b;
  out[1] = a / (b >> 40 | 1);
  out[2] = (u64)((long long)b % ((long long)a >> 37 | 1));
  out[3] = (unsigned)a / ((unsigned)b >> 20 | 1);
  out[4] = (u64)(long long)((int)a % 7);
  out[5] = (a >> (t & 63)) ^ (b << (t * 7 & 63)) ^ (u64)((long long)b >> (t * 3 & 63));
  out[6] = (u64)(a < b) | (u64)((long long)a >= (long long)b) << 1 | (u64)((int)a < (int)b) << 2 | (u64)(a == b) << 3;
  out[7] = q.f != q.f ? 0x7fffffff : q.u;
  double tenth = (double)(long long)(a >> 1) * 0.1;
  out[8] = (u64)(tenth + (double)(unsigned)b);
  out[9] = (u64)(long long)((float)(int)b * -0.5f);
  out[10] = (unsigned char)a + (signed char)b + (u64)(short)a * (unsigned short)b;
  out[11] = __builtin_popcountll(a) + __builtin_clz((unsigned)b | 1) + __builtin_ctz((unsigned)a | 256) + __builtin_bswap64(b);
}
#ifdef HOST
int main(void) {
  static u64 out[768];
  for (unsigned t = 0; t < 64; t++)
    all(t, out + 12 * t);
  fwrite(out, 8, 768, stdout);
  return 0;
}
#else
__kernel void words(OUT u64 *out) { all(leno_tid_x(), out + 12 * leno_tid_x()); }
#endif
