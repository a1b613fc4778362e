// C's own headers: what a kernel can use of math.h, string.h, stdlib.h and assert.h, in the lane's memory and in others; against the
// host's. What the host's headers alone have is not found.
// RUN: clang-22 -O1 -ffp-contract=off -DHOST %s -o %t.host -lm && %t.host > %t.want.bin
// RUN: %leno-cc -ffp-contract=off --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 64 --arg out:u32[512]:%t.out.bin
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 -ffp-contract=off --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 64 --arg out:u32[512]:%t.out0.bin
// RUN: cmp %t.out0.bin %t.want.bin
// RUN: not %leno-cc -DMORE %s -o %t.none 2>&1 | FileCheck %s
// CHECK: c-headers.c:[[# @LINE + 2]]:10: fatal error: 'stdio.h' file not found
#if defined HOST || defined MORE
#include <stdio.h>
#endif
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef HOST
#define OUT
#else
#include <leno/kernel.h>
#define OUT __global
#endif

static int byValue(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return x < y ? -1 : x > y;
}
static uint32_t text(uint32_t t) {
  static const char words[] = "lanes part and lanes meet";
  char buffer[64];
  memset(buffer, 'x', sizeof buffer);
  strcpy(buffer, words + t % 20);
  strcat(buffer, t & 1 ? "!" : "again");
  char copy[16];
  strncpy(copy, buffer, sizeof copy - 1);
  copy[15] = 0;
  uint32_t result = (uint32_t)strlen(buffer) + 100 * (uint32_t)strlen(copy);
  result += (strcmp(buffer, "part") < 0) + 2 * (strncmp(buffer, "lanes", 2 + t % 4) == 0) + 4 * (memcmp(buffer, copy, 4) == 0);
  const char *found[] = {strchr(buffer, 'e'), strrchr(buffer, 'a'), strstr(buffer, "an"), memchr(buffer, 'p', strlen(buffer))};
  for (int i = 0; i < 4; ++i)
    result = result * 31 + (uint32_t)(found[i] ? found[i] - buffer : 99);
  memmove(buffer + 1, buffer, 10);
  return result * 31 + (uint32_t)(unsigned char)buffer[t % 12];
}
static uint32_t sorted(uint32_t t) {
  int a[16], key = (int)(t * 5 % 16);
  for (int i = 0; i < 16; ++i)
    a[i] = (int)(t + 1) * (i + 3) * 7 % 16;
  qsort(a, 16, sizeof a[0], byValue);
  uint32_t result = 0;
  for (int i = 0; i < 16; ++i)
    result = result * 17 + (uint32_t)a[i];
  int *found = bsearch(&key, a, 16, sizeof a[0], byValue);
  return result + (found ? 1 + (uint32_t)*found : 0);
}
static void all(uint32_t t, OUT uint32_t *out) {
  double whole, x = t * 0.37 - 7;
  int exponent;
  assert(t < 64 && INT_MAX > 0);
  out[0] = text(t);
  out[1] = sorted(t);
  out[2] = (uint32_t)(abs((int)t - 30) + labs(-5L * t) + (isnan(x - NAN) ? 3 : 0) + (isinf(INFINITY) ? 5 : 0) + (signbit(x) ? 7 : 0));
  out[3] = (uint32_t)(int)(floor(x) + ceil(x) * 3 + trunc(x) * 5 + round(x) * 7 + rint(x) * 11 + lround(x) * 13 + fabsf((float)x));
  double fraction = frexp(x, &exponent), rest = modf(x, &whole);
  out[4] = (uint32_t)(int)(fraction * 1024) + (uint32_t)exponent * 3 + (uint32_t)(int)whole * 5 + (uint32_t)(int)(rest * 4096);
  out[5] = (uint32_t)(int)(sqrt(t) * 1e6) + (uint32_t)(sqrtf((float)t) * 1000) + (uint32_t)(int)(fmod(x, 1.5) * 100) + (uint32_t)ilogb(x);
  out[6] = (uint32_t)(int)(1000 * (fmax(x, 1) + fmin(x, -1) + copysign(2, x) + scalbn(x, 3) + ldexp(x, -2) + fma(x, x, 1) + hypot(3, 4)));
  out[7] = (uint32_t)(int)lrint(1000 * (sin(x) + cosf((float)x) + exp(x / 4) + log(t + 1.0) + pow(1.1, x) + atan2(x, 2) + tanh(x) + M_PI));
}
#ifdef HOST
int main(void) {
  uint32_t out[512];
  for (uint32_t t = 0; t < 64; ++t)
    all(t, out + 8 * t);
  fwrite(out, 1, sizeof out, stdout);
}
#else
__kernel void headers(__global uint32_t *out) { all(leno_tid_x(), out + 8 * leno_tid_x()); }
#endif
