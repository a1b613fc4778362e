// Arrays of a size that only the run tells, alloca, and arguments of a variable number: in kernels and in functions, beside calls whose
// arguments lie in memory, in loops, in recursion; against the host's clang.
// RUN: clang-22 -O0 -ffp-contract=off -DHOST %s -o %t.host && %t.host > %t.want.bin
// RUN: %leno-cc -ffp-contract=off --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 64 --arg out:u32[512]:%t.out.bin
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 64 --arg out:u32[512]:%t.out0.bin
// RUN: cmp %t.out0.bin %t.want.bin
// RUN: %leno-cc -O3 -g --llvm -verify-machineinstrs %s -o %t3 && %leno-run %t3 --block 64 --arg out:u32[512]:%t.out3.bin
// RUN: cmp %t.out3.bin %t.want.bin
// How much that needs is not known: --stack says it.
// RUN: %leno-cc -S %s -o - | FileCheck --check-prefix=TEXT %s
// RUN: %leno-cc --stack 64 %s -o %t.small && not %leno-run %t.small --block 64 --arg out:u32[512]:%t.none.bin 2>&1 | FileCheck --check-prefix=SMALL %s
// TEXT: .local {{[0-9]+}} # its variables have a size that is not known
// SMALL: ADDRESS_OUT_OF_RANGE at {{.*}} of local memory
#include <stdarg.h>
#ifdef HOST
#include <stdio.h>
#define OUT
#else
#include <leno/kernel.h>
#define OUT __global
#endif
#define APART static __attribute__((noinline))
typedef unsigned u32;
typedef unsigned long long u64;
struct pair { short a; double b; };

APART u32 turned(u32 n, u32 seed) {
  u32 a[n + 1];
  for (u32 i = 0; i <= n; ++i)
    a[i] = seed += 0x9e3779b9u;
  for (u32 i = 0; i < n / 2; ++i) {
    u32 t = a[i];
    a[i] = a[n - i];
    a[n - i] = t;
  }
  u32 sum = 0;
  for (u32 i = 0; i <= n; ++i)
    sum = sum * 31 + a[i];
  return sum;
}
APART u32 sum(u32 count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  u32 result = 0;
  for (u32 i = 0; i < count; ++i)
    result = result * 3 + va_arg(list, u32);
  if (count)
    result ^= va_arg(again, u32);
  va_end(again);
  va_end(list);
  return result;
}
APART double mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  double result = 0;
  for (; *kinds; ++kinds)
    switch (*kinds) {
    case 'i':
      result += va_arg(list, int);
      break;
    case 'd':
      result += va_arg(list, double);
      break;
    case 'l':
      result += (double)va_arg(list, long long);
      break;
    case 'p':
      result += *va_arg(list, int *);
      break;
    case 's': {
      struct pair s = va_arg(list, struct pair);
      result += s.a * s.b;
    }
    }
  va_end(list);
  return result;
}
APART u32 apply(u32 (*function)(u32, ...), u32 a, u32 b) { return function(2, a, b); }
APART u32 many(u32 a, u64 b, u64 c, u64 d, u64 e, u64 f, u64 g, u64 h, u32 i) {
  return a + (u32)(b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8) + i * 9;
}
// Room that grows between calls with arguments in memory, and values that live across them.
APART u32 nested(u32 depth, u32 n) {
  u32 keep = n * 7, a[n % 5 + 1];
  for (u32 i = 0; i < n % 5 + 1; ++i)
    a[i] = many(i, n, keep, i, n, keep, i, n, depth);
  u32 below = depth ? nested(depth - 1, n + a[n % (n % 5 + 1)] % 7) : 1;
  return below + a[0] + a[n % 5] * 3 + keep;
}
APART u32 pieces(u32 n) {
  u32 *last = 0, sum = 0;
  for (u32 i = 0; i < n; ++i) {
    u32 *now = __builtin_alloca(4 * (i + 2));
    for (u32 j = 0; j < i + 2; ++j)
      now[j] = i * j + (last ? last[j < i + 1 ? j : i] : 1);
    last = now;
    char scratch[i + 3];
    for (u32 j = 0; j < i + 3; ++j)
      scratch[j] = (char)(j * n);
    sum += (unsigned char)scratch[n % (i + 3)];
  }
  return last ? last[0] + last[n] + sum : sum;
}
static u32 inlined(u32 n) {
  char a[n];
  for (u32 i = 0; i < n; ++i)
    a[i] = (char)(i ^ n);
  return (u32)a[n / 2] + (u32)a[n - 1];
}
APART u32 rows(u32 n, u32 m, u32 a[n][m]) { return a[n - 1][m - 1] + a[n / 2][m / 2] * 3; }

static __attribute__((always_inline)) void all(u32 t, OUT u32 *out) {
  u32 table[t % 3 + 2][t % 4 + 1];
  int five = 5;
  for (u32 i = 0; i < t % 3 + 2; ++i)
    for (u32 j = 0; j < t % 4 + 1; ++j)
      table[i][j] = i * 100 + j + t;
  struct pair pair = {(short)-t, 0.25};
  out[0] = turned(t % 11, t);
  out[1] = sum(3, t, t * 3, 7u) + sum(0) + sum(1, t) + apply(sum, t, 9);
  out[2] = (u32)(u64)mixed("idlpsi", (int)t, t * 0.5, t * 1000000007ll, &five, pair, -3);
  out[3] = nested(t % 4, t);
  out[4] = pieces(t % 6);
  out[5] = inlined(t % 9 + 1) + inlined(3);
  out[6] = rows(t % 3 + 2, t % 4 + 1, table);
  out[7] = many(t, t + 1, t, 3, t, 4, t, 5, t) + sizeof table;
}
#ifdef HOST
int main(void) {
  u32 out[512];
  for (u32 t = 0; t < 64; ++t)
    all(t, out + 8 * t);
  fwrite(out, 1, sizeof out, stdout);
}
#else
__kernel void sizes(__global u32 *out) { all(leno_tid_x(), out + 8 * leno_tid_x()); }
#endif
