// A loop that a goto enters, turned by LLVM into one with three ways in, of which two leave one branch: each lane ends as on the host.
// RUN: clang-22 -O0 -DHOST %s -o %t.host && %t.host > %t.want.bin
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 64 --arg out:u32[128]:%t.out.bin --max-instructions 1000000
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 %s -o %t0 && %leno-run %t0 --block 64 --arg out:u32[128]:%t.out0.bin --max-instructions 1000000 && cmp %t.out0.bin %t.want.bin
#ifdef HOST
#include <stdio.h>
#define OUT
#else
#include <leno/kernel.h>
#define OUT __global
#endif
typedef unsigned u32;

static void all(u32 t, OUT u32 *out) {
  u32 m[8] = {t, 1, 2, 3, 4, 5, 6, 7}, b = t * 2654435761u, a = b ^ t << 7;
  unsigned long long z = (unsigned long long)a << 20 ^ b;
  short h = (short)(a - b), w[4] = {1, (short)t, 7, (short)a};
  _Bool q = a & 1;
  float x = (float)(int)(a & 0xff) * 0.5f;
  for (u32 i = 0; i < 3; i++) {
    u32 j = 0;
    if (x == 1.5f)
      goto middle;
    for (; j < 2; j++) {
      if (q && (b % ((u32)z | 1) & 7) > (m[t & 7] & 7) && (u32)h << (w[a & 3] & 31) > (u32)z << (w[a & 3] & 31))
        goto inside;
      if ((370704758u % ((m[a % 3] & 0x7ffff) + 1) & 7) != 0)
        b++;
    inside:;
    middle:;
      if (x <= (float)(int)(a & 63)) {
        z = (unsigned long long)((long long)(h - (long long)z) >> (h & 63));
        q = 255 <= (int)m[t & 7] >> (b & 31);
      }
    }
  }
  out[2 * t] = (u32)z ^ (u32)(z >> 32) ^ q;
  out[2 * t + 1] = b;
}
#ifdef HOST
int main(void) {
  u32 out[128];
  for (u32 t = 0; t < 64; ++t)
    all(t, out);
  fwrite(out, 1, sizeof out, stdout);
}
#else
__kernel void circles(__global u32 *out) { all(leno_tid_x(), out); }
#endif
