// Variables, types, scopes and inlined functions in DWARF, which LLVM's own checker accepts; the code is the same.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %leno-cc -g -O0 %s -o zero && llvm-dwarfdump --verify zero
// RUN: %leno-cc -g -O2 %s -o two && llvm-dwarfdump --verify two
// RUN: %leno-cc -g -O3 %s -o three && llvm-dwarfdump --verify three
// RUN: llvm-dwarfdump zero | FileCheck %s --check-prefix=ZERO --implicit-check-not=xderef
// RUN: llvm-dwarfdump two | FileCheck %s --check-prefix=TWO --implicit-check-not="DW_OP_lit{{[0-35-9]}}, DW_OP_swap"
// RUN: %leno-cc -O0 %s -o plain0 && %leno-cc %s -o plain2
// RUN: %leno-objdump plain0 > plain0.s && %leno-objdump plain2 > plain2.s && %leno-objdump zero > zero.s && %leno-objdump two > two.s
// RUN: cmp plain0.s zero.s && cmp plain2.s two.s
// RUN: llvm-readelf -S plain2 | FileCheck %s --check-prefix=NONE --implicit-check-not=.debug
// NONE: .text
// RUN: %leno-cc -S -g %s -o two.s && %leno-as -c two.s -o as.o && %leno-cc -c -g %s -o cc.o && cmp as.o cc.o
// An object that nothing else was linked to has its places, too, as relocations.
// RUN: %leno-ld cc.o -o linked && llvm-dwarfdump --verify linked
#include <leno/kernel.h>

// A parameter and a variable on the stack stand in the frame, from R1 or from address 0.
// ZERO: DW_TAG_subprogram
// ZERO: DW_AT_frame_base (DW_OP_reg1)
// ZERO: DW_AT_name ("deep")
// ZERO: DW_TAG_formal_parameter
// ZERO-NEXT: DW_AT_location (DW_OP_fbreg
// ZERO-NEXT: DW_AT_name ("n")
// ZERO: DW_AT_name ("p")
// ZERO: DW_AT_name ("sum")
// ZERO: DW_TAG_lexical_block
// ZERO: DW_TAG_variable
// ZERO: DW_AT_name ("i")
// ZERO: DW_TAG_structure_type
// ZERO-NEXT: DW_AT_name ("point")
// ZERO: DW_TAG_member
// ZERO-NEXT: DW_AT_name ("x")
struct point {
  int x;
  float y;
};

// A pair is two pieces, and a function that was taken in has its variables.
// TWO: DW_OP_reg{{[0-9]*[02468]}}, DW_OP_piece 0x4, DW_OP_reg{{[0-9]*[13579]}}, DW_OP_piece 0x4
// A kernel's parameter is a word of c[0], memory 4, all the time.
// TWO: DW_AT_location (DW_OP_constu 0x40, DW_OP_lit4, DW_OP_swap, DW_OP_xderef, DW_OP_stack_value)
// TWO-NEXT: DW_AT_name ("out")
// TWO: DW_TAG_inlined_subroutine
// TWO-NEXT: DW_AT_abstract_origin ({{.*}} "twice")
static unsigned twice(unsigned v) {
  unsigned w = v * 2;
  return w * w + 7;
}

__attribute__((noinline)) static unsigned deep(unsigned n, __global unsigned *out) {
  unsigned local[4] = {n, n + 1, n + 2, n + 3};
  struct point p = {(int)n, 1.5f};
  out[n] = local[n & 3] + p.x;
  return n + 3;
}

__kernel void sum(__global unsigned *out, unsigned n) {
  unsigned t = leno_tid_x();
  unsigned long wide = (unsigned long)t * 3;
  unsigned sum = 0;
  for (unsigned i = 0; i <= t; ++i)
    sum += twice(i ^ t);
  sum += deep(t, out);
  out[t] = sum + (unsigned)wide + n;
}
