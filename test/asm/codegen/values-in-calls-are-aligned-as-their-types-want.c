// What is handed over by value, and what a function gives back, lies at a multiple of what its type wants, after frames of any size,
// in what is called and in what calls. C11 6.7.5: an alignment may be stricter than any type's.
// RUN: %leno-cc -O0 %s -o %t.0
// RUN: %leno-run %t.0 --block 4 --arg out:u32[8]:print: | FileCheck %s
// RUN: %leno-cc -O2 %s -o %t.2
// RUN: %leno-run %t.2 --block 4 --arg out:u32[8]:print: | FileCheck %s
// CHECK: [0]   4   5   6   6   8   7  10   8
#include <leno/kernel.h>
typedef struct {
  _Alignas(64) unsigned v[16];
} wide;
static unsigned past(const void *p) {
  unsigned long long address = (unsigned long long)p;
  __asm__ volatile("" : "+r"(address)); // nothing is known of it
  return (unsigned)address & 63;
}
__attribute__((noinline)) static unsigned take(unsigned more, wide w) {
  w.v[3] += more;
  return past(&w) << 8 | w.v[3];
}
__attribute__((noinline)) static wide give(unsigned n, unsigned *where) {
  wide w = {{n, n + 1, n + 2, n + 3}};
  *where = past(&w);
  return w;
}
__attribute__((noinline)) static unsigned both(unsigned n, unsigned deep) {
  char odd[20];
  odd[n & 15] = (char)n;
  __asm__ volatile("" : : "r"(odd) : "memory");
  unsigned where;
  wide w = give(n, &where);
  unsigned sum = take(1, w) + (where << 20) + (past(&w) << 26);
  return deep ? both(n, deep - 1) | (sum & ~0xffu) : sum + (unsigned)odd[n & 15];
}
__kernel void k(__global unsigned *out) {
  unsigned t = leno_tid_x(), where;
  char odd[4];
  odd[t & 3] = 1;
  __asm__ volatile("" : : "r"(odd) : "memory");
  out[2 * t] = both(t, 3);
  wide w = give(t, &where);
  out[2 * t + 1] = take(2, w) + (where << 20) + (past(&w) << 26);
}
