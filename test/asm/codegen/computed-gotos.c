// Addresses of labels: an interpreter's loop whose lanes run different programs, and a table of distances; against the host's clang.
// RUN: clang-22 -O1 -DHOST %s -o %t.host && %t.host > %t.want.bin
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 64 --arg out:u32[64]:%t.out.bin
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 64 --arg out:u32[64]:%t.out0.bin
// RUN: cmp %t.out0.bin %t.want.bin
#ifdef HOST
#include <stdio.h>
#else
#include <leno/kernel.h>
#endif
typedef unsigned u32;

static u32 interpret(u32 t) {
  static const void *const names[] = {&&add, &&twice, &&xor, &&repeat, &&end};
  unsigned char code[] = {0, 1, 2, 0, 3, 1, 4};
  code[t % 3] = (unsigned char)(t % 4);
  if (t % 5 == 0)
    code[5] = 4;
  u32 at = 0, value = t, turns = t % 4;
  goto *names[code[at++]];
add:
  value += 13;
  goto *names[code[at++]];
twice:
  value *= 2;
  goto *names[code[at++]];
xor:
  value ^= 0x55;
  goto *names[code[at++]];
repeat:
  if (turns-- > 0)
    at = 0;
  else
    turns = 0;
  value++;
  goto *names[code[at++]];
end:;
  void *other = t & 1 ? &&odd : &&even;
  goto *other;
odd:
  value = value * 3 + 1;
even:
  return value;
}
#ifdef HOST
int main(void) {
  u32 out[64];
  for (u32 t = 0; t < 64; ++t)
    out[t] = interpret(t);
  fwrite(out, 1, sizeof out, stdout);
}
#else
__kernel void gotos(__global u32 *out) { out[leno_tid_x()] = interpret(leno_tid_x()); }
#endif
