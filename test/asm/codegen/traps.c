// __builtin_trap and what asserts of it: a breakpoint that says where. Lanes that do not come there go on; behind
// __builtin_unreachable nothing is run.
// RUN: %leno-cc -g %s -o %t && %leno-run %t --kernel traps --block 64 --arg out:u32[64]:%t.bin --arg u32:64
// RUN: od -An -tu4 -v -w8 %t.bin | FileCheck --check-prefix=RESULT %s
// RUN: not %leno-run %t --kernel traps --block 64 --arg out:u32[64]:%t.none.bin --arg u32:5 2>&1 | FileCheck --check-prefix=TRAP %s
// RUN: %leno-cc -O0 -g %s -o %t0 && %leno-run %t0 --kernel traps --block 64 --arg out:u32[64]:%t0.bin --arg u32:64
// RUN: cmp %t.bin %t0.bin
// RUN: not %leno-run %t0 --kernel traps --block 64 --arg out:u32[64]:%t.none.bin --arg u32:5 2>&1 | FileCheck --check-prefix=TRAP %s
// Without asserts there is none, and a sanitizer's have numbers.
// RUN: %leno-cc -DNDEBUG %s -o %tn && %leno-run %tn --kernel traps --block 64 --arg out:u32[64]:%t.all.bin --arg u32:5
// RUN: %leno-cc -S %s -o - | FileCheck --check-prefix=TEXT %s
// RUN: %leno-cc -O0 -S -fsanitize=shift -fsanitize-trap=all %s -o - | FileCheck --check-prefix=SANITIZED %s
// RESULT: 10 21
// RESULT-NEXT: 32 43
// RESULT-NEXT: 14 25
// TRAP: BREAKPOINT
// TRAP: traps.c:[[# @LINE + 17]]
// TEXT: .kernel stops
// TEXT: BPT 0;
// TEXT: EXIT;
// TEXT-NOT: {{[A-Z]}}
// TEXT: .endkernel
// SANITIZED: BPT {{[1-9]}}
#include <assert.h>
#include <leno/kernel.h>
static_assert(sizeof(int) == 4, "as everywhere");

__kernel void stops(__global unsigned *out, unsigned by) {
  out[leno_tid_x()] = 1u << by;
  __builtin_trap();
}
__kernel void traps(__global unsigned *out, unsigned most) {
  unsigned t = leno_tid_x();
  assert(t < most);
  switch (t & 3) {
  case 0:
    out[t] = 10 + t;
    break;
  case 1:
    out[t] = 20 + t;
    break;
  case 2:
    out[t] = 30 + t;
    break;
  case 3:
    out[t] = 40 + t;
    break;
  default:
    __builtin_unreachable();
  }
}
