// What is read before a barrier is not read behind it, however late and rarely it is used: there other warps have written anew. So too with
// fences.
// RUN: %leno-cc -S %s -o - | FileCheck %s
// RUN: %leno-cc %s -o %t && %leno-run %t --kernel late --block 64 --arg out:u32[64]:%t.bin --arg 40
// RUN: od -An -tu4 -v -w32 %t.bin | FileCheck --check-prefix=RESULT %s
// CHECK-LABEL: .kernel late
// CHECK: STS
// CHECK: BAR.SYNC 0;
// CHECK: LDS R[[V:[0-9]+]],
// CHECK: BAR.SYNC 0;
// CHECK-NOT: LDS
// CHECK: STS
// CHECK-LABEL: .kernel fenced
// CHECK: LDG R
// CHECK: MEMBAR
// CHECK: .endkernel
// RESULT: 1 1 1 1 1 1 1 1
// RESULT: 31 30 29 28 27 26 25 24
// RESULT-NEXT: 23 22 21 20 19 18 17 16
// RESULT-NEXT: 15 14 13 12 11 10 9 8
// RESULT-NEXT: 7 6 5 4 3 2 1 0
#include <leno/kernel.h>
static __local unsigned s[64];

__kernel void late(__global unsigned *out, unsigned turns) {
  unsigned t = leno_tid_x(), sum = 1;
  s[t] = t;
  leno_barrier(0);
  unsigned early = s[63 - t];
  leno_barrier(0);
  if (t >= 32) {
    for (unsigned i = 0; i < turns; ++i)
      sum = sum * 3 ^ out[t];
    sum = sum == 0 ? 99 : early;
  }
  s[t] = 1000 + t;
  leno_barrier(0);
  out[t] = s[t] ? sum : 0;
}
__kernel void fenced(__global unsigned *out, __global const unsigned *in) {
  unsigned t = leno_tid_x(), early = in[t];
  leno_membar_gl();
  if (out[t] > 5) {
    for (unsigned i = 0; i < t; ++i)
      out[64 + i] = t;
    out[t] = early;
  }
}
