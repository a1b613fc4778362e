// asm statements: operands in registers and pairs, numbers, fixed registers, both in and out; registers and predicates that a text
// names keep nobody's values; a mistake is told at the statement's line.
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 32 --arg out:u32[160]:%t.npy --arg wide=out:u64[32]:%t.w.npy --arg n=70000
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --block 32 --arg out:u32[160]:%t.0.npy --arg wide=out:u64[32]:%t.w0.npy --arg n=70000
// RUN: cmp %t.npy %t.0.npy && cmp %t.w.npy %t.w0.npy
// RUN: %python %tools/expect.py %t.npy "np.array([v for t in range(32) for v in (t + 5 + 3 * t, 0x11 if t < 7 else 0x22, 3 * t, t + 5 + 2**20, sum((t + k) ** 2 for k in range(12)))], dtype=np.uint32)"
// RUN: %python %tools/expect.py %t.w.npy "np.array([70000 * 2**32 + t for t in range(32)], dtype=np.uint64)"
// RUN: not %leno-cc -DMISTAKE %s -o %t.bad 2>&1 | FileCheck --check-prefix=MISTAKE %s
// RUN: not %leno-cc -DFORM %s -o %t.bad 2>&1 | FileCheck --check-prefix=FORM %s
#include <leno/kernel.h>

static __global unsigned table[4];

__kernel void k(__global unsigned *out, __global unsigned long *wide, unsigned n) {
  unsigned t = leno_tid_x(), sum, choice;
  asm("IADD %0, %1, %2" : "=r"(sum) : "r"(t), "i"(5));
  unsigned long both;
  asm("MOV %0, %1;\n\tMOV %H0, %2" : "=&r"(both) : "r"(t), "r"(n));
  wide[t] = both;
  unsigned square[12]; // many values live across what follows
  for (int i = 0; i < 12; ++i)
    square[i] = (t + i) * (t + i);
  asm volatile("ISETP.lt.u32 P2, %1, %2\n@P2 MOV R9, 0x11\n@!P2 MOV R9, 0x22\nMOV %0, R9"
               : "=r"(choice)
               : "v"(t), "r"(7));
  float doubled;
  asm("FADD %0, %1, %1" : "=v"(doubled) : "v"(1.5f * t));
  register unsigned fixed asm("v20") = t * 3;
  asm("IADD %0, %0, R20" : "+r"(sum) : "v"(fixed));
  unsigned address, big;
  asm("MOV32I %0, lo(%1)" : "=r"(address) : "i"(&table[0]));
  asm("IADD32I %0, %1, %c2" : "=r"(big) : "r"(t + 5), "i"(1 << 20));
  asm volatile("" ::: "memory");
  out[5 * t] = sum;
  out[5 * t + 1] = choice;
  out[5 * t + 2] = (unsigned)doubled + (address - (unsigned)(unsigned long)&table[0]);
  out[5 * t + 3] = big;
  unsigned total = 0;
  for (int i = 0; i < 12; ++i)
    total += square[i];
  out[5 * t + 4] = total;
#ifdef MISTAKE
  asm volatile("MOV R4, 1\n\tMOOV R5, R4");
// MISTAKE: inline-assembly.c:[[#@LINE-1]]:{{.*}}error: unknown instruction 'MOOV'; did you mean 'MOV'?
#endif
#ifdef FORM
  asm volatile("MOV R4, %H0" ::"r"(t));
// FORM: inline-assembly.c:[[#@LINE-1]]:{{.*}}error: {{.*}}an operand of this assembly has no form 'H'
#endif
}
