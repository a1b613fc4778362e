// __int128, with every operator, and what it becomes of floats; against the host's clang.
// RUN: clang-22 -O1 -ffp-contract=off -DHOST %s -o %t.host && %t.host > %t.want.bin
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 64 --arg out:u32[512]:%t.out.bin
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 64 --arg out:u32[512]:%t.out0.bin
// RUN: cmp %t.out0.bin %t.want.bin
#ifdef HOST
#include <stdio.h>
#define OUT
#else
#include <leno/kernel.h>
#define OUT __global
#endif
typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned __int128 u128;
typedef __int128 i128;

static u32 folded(u128 x) { return (u32)x * 3 + (u32)(x >> 32) * 5 + (u32)(x >> 64) * 7 + (u32)(x >> 96) * 11; }
static void all(u32 t, OUT u32 *out) {
  u64 a = t * 0x9e3779b97f4a7c15ull + 1, b = ~a * (t + 3);
  u128 x = (u128)a * b ^ (u128)t << 120, y = (u128)b << (t & 63) | a;
  i128 s = -(i128)(y >> 1) * (t & 1 ? 1 : -1);
  out[0] = folded(x + y) ^ folded(x - y);
  out[1] = folded(x * y) + folded(x & ~y) * 3;
  out[2] = folded(x << (t & 127)) ^ folded(x >> (127 - (t & 127))) ^ folded((u128)(s >> (t & 127)));
  out[3] = folded(x / (y | 1)) + folded(x % (y >> 40 | 1));
  out[4] = folded((u128)(s / (i128)((a >> 3) + 1))) + folded((u128)(s % 1000000007));
  out[5] = (x > y) + 2 * (s < 0) + 4 * (x == y) + 8 * (s >= (i128)x);
  out[6] = (u32)(long long)((double)s * 0x1p-70) + (u32)(float)(x >> 100);
  out[7] = folded((u128)((double)a * 0x1p40)) + folded((u128)(i128)(-(float)b * 4096.0f));
}
#ifdef HOST
int main(void) {
  u32 out[512];
  for (u32 t = 0; t < 64; ++t)
    all(t, out + 8 * t);
  fwrite(out, 1, sizeof out, stdout);
}
#else
__kernel void wide(__global u32 *out) { all(leno_tid_x(), out + 8 * leno_tid_x()); }
#endif
