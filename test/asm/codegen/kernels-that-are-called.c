// A kernel in C that another calls, or whose address it takes, is a function, too. Lane t: first gives 10 t, then twice gives 10 t + 3,
// chosen gives 10 t + 3 or 4 t, by t's lowest bit.
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t.0 && %leno-run %t.0 --kernel all --block 4 --arg out:i32[8]:print: | FileCheck %s
// RUN: %leno-cc -O2 --llvm -verify-machineinstrs %s -o %t.2 && %leno-run %t.2 --kernel all --block 4 --arg out:i32[8]:print: | FileCheck %s
// RUN: %leno-run %t.2 --kernel first --block 4 --arg out:i32[4]:print: --arg 10 | FileCheck --check-prefix=FIRST %s
// CHECK: [0]   3  13  23  33   0  13   8  33
// FIRST: [0]   0  10  20  30
#include <leno/kernel.h>
__kernel void first(__global int *out, int factor) { out[leno_tid_x()] = factor * (int)leno_tid_x(); }
__kernel void twice(__global int *out, int factor) {
  first(out, factor);
  out[leno_tid_x()] += 3;
}
typedef void (*function)(__global int *, int);
__kernel void all(__global int *out) {
  function chosen = leno_tid_x() & 1 ? (function)twice : (function)first;
  twice(out, 10);
  chosen(out + 4, leno_tid_x() & 1 ? 10 : 4);
}
