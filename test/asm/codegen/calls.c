// Calls by isa/CallingConvention.md: recursion, two functions that call each other, pointers to functions, structures by value and as
// results, more arguments than registers hold, values that live across calls; against the host's clang.
// RUN: clang-22 -O1 -ffp-contract=off -DHOST %s -o %t.host && %t.host > %t.want.bin
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 64 --arg out:u32[512]:%t.out.bin
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 64 --arg out:u32[512]:%t.out0.bin
// RUN: cmp %t.out0.bin %t.want.bin
// RUN: %leno-cc -O3 --llvm -verify-machineinstrs %s -o %t3 && %leno-run %t3 --block 64 --arg out:u32[512]:%t.out3.bin
// RUN: cmp %t.out3.bin %t.want.bin
// The depth of recursion is not known: --stack says how much room there is, and a trap that it was not enough.
// RUN: %leno-cc -S %s -o - | FileCheck --check-prefix=TEXT %s
// RUN: %leno-cc --stack 64 %s -o %t.small && not %leno-run %t.small --block 64 --arg out:u32[512]:%t.none.bin 2>&1 | FileCheck --check-prefix=SMALL %s
// TEXT: .local {{[0-9]+}} # its calls go to a depth that is not known
// SMALL: ADDRESS_OUT_OF_RANGE at {{.*}} of local memory
#ifdef HOST
#include <stdio.h>
#define OUT
#define CONSTANT const
#else
#include <leno/kernel.h>
#define OUT __global
#define CONSTANT __constant
#endif
#define APART static __attribute__((noinline))
typedef unsigned u32;
typedef unsigned long long u64;

APART u32 fib(u32 n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
APART u32 odd(u32 n);
APART u32 even(u32 n) { return n == 0 ? 1 : odd(n - 1); }
APART u32 odd(u32 n) { return n == 0 ? 0 : even(n - 1); }
APART u32 ackermann(u32 m, u32 n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

struct small { u32 a; u64 b; signed char c; };
struct large { u32 v[20]; double d; };
APART struct small turned(struct small s) {
  struct small r = {(u32)s.b, s.a * 3ull << 20, (signed char)-s.c};
  return r;
}
APART struct large grown(struct large l, u32 at) {
  l.v[at % 20] += at;
  l.d += 0.5;
  return l;
}

APART double many(signed char a, u64 b, float c, double d, short e, u64 f, float g, double h, u32 i, u64 j, float k, _Bool l) {
  return a + 2.0 * b + 3.0 * c + 4.0 * d + 5.0 * e + 6.0 * f + 7.0 * g + 8.0 * h + 9.0 * i + 10.0 * j + 11.0 * k + (l ? 1e6 : 0);
}
APART _Bool between(u32 x, u32 low, u32 high) { return x >= low && x < high; }
APART void both(u32 x, u32 *twice, u64 *square) {
  *twice = 2 * x;
  *square = (u64)x * x;
}

APART u32 plus(u32 x) { return x + 1; }
APART u32 times(u32 x) { return x * 5; }
APART u32 fibonacci(u32 x) { return fib(x % 8); }
static u32 (*const table[])(u32) = {plus, times, fibonacci};
APART u32 apply(u32 (*f)(u32), u32 x, u32 n) {
  for (u32 i = 0; i < n; ++i)
    x = f(x) + i;
  return x;
}

// Leaves from the midst of loops and branches.
APART u32 search(u32 x) {
  for (u32 i = 2; i < 40; ++i) {
    if (i % 7 == 6)
      continue;
    for (u32 j = i; j < 40; ++j) {
      if (i * j == x)
        return i;
      if (i * j > x)
        break;
    }
  }
  return x ? 1000 : 2000;
}

static void all(u32 t, OUT u32 *out) {
  struct small s = {t * 0x9e3779b9u, t * 0x100000001ull, (signed char)(t - 30)};
  struct large l = {.d = t};
  for (u32 i = 0; i < 20; ++i)
    l.v[i] = i * t;
  s = turned(turned(s));
  l = grown(grown(l, t), t + 7);
  u32 keep = t * 77, twice;
  u64 square;
  both(t + 3, &twice, &square);
  out[0] = fib(t % 13) + keep;
  out[1] = even(t) * 2 + odd(t % 17) + (t % 4 == 1 ? ackermann(2, t % 5) : 0);
  out[2] = s.a ^ (u32)s.b ^ (u32)(s.b >> 32) ^ (u32)s.c;
  out[3] = l.v[t % 20] + l.v[(t + 7) % 20] + (u32)(l.d * 2);
  out[4] = (u32)many((signed char)-t, t + 1, t + 2, t + 3, (short)-t, t + 5, t + 6, t + 7, t + 8, t + 9, t + 10, t & 1);
  out[5] = apply(table[t % 3], t, t % 6) + (between(t, 10, 20) ? 100 : 0);
  out[6] = search(t * 3) + twice + (u32)square;
  out[7] = t % 2 ? plus(keep) + fib(5) : table[(t + 1) % 3](keep);
}
#ifdef HOST
int main(void) {
  u32 out[512];
  for (u32 t = 0; t < 64; ++t)
    all(t, out + 8 * t);
  fwrite(out, 1, sizeof out, stdout);
}
#else
__kernel void calls(__global u32 *out) { all(leno_tid_x(), out + 8 * leno_tid_x()); }
#endif
