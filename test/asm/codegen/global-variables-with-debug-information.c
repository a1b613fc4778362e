// A program with variables in global memory and -g loads and runs as without, and DWARF has each at its symbol's address.
// RUN: %leno-cc -g -O0 %s -o %t && %leno-run %t --block 1 --arg out:i32[1]:print: | FileCheck %s --check-prefix=OUT
// RUN: %leno-cc -g -O2 %s -o %t && %leno-run %t --block 1 --arg out:i32[1]:print: | FileCheck %s --check-prefix=OUT
// RUN: llvm-dwarfdump --verify %t
// RUN: llvm-readelf -s %t > %t.symbols && llvm-dwarfdump %t > %t.dwarf && cat %t.symbols %t.dwarf | FileCheck %s
// 3 + 7 * 2
// OUT: [0] 17
// CHECK-DAG: {{0*}}[[FIRST:[1-9a-f][0-9a-f]*]] 0 NOTYPE GLOBAL DEFAULT {{[0-9]+}} first
// CHECK-DAG: {{0*}}[[SECOND:[1-9a-f][0-9a-f]*]] 0 NOTYPE GLOBAL DEFAULT {{[0-9]+}} second
// CHECK: DW_AT_name ("first")
// CHECK: DW_AT_location (DW_OP_addr 0x[[FIRST]])
// CHECK: DW_AT_name ("second")
// CHECK: DW_AT_location (DW_OP_addr 0x[[SECOND]])
#include <leno/kernel.h>
__global int first = 7;
__global int second;
__kernel void both(__global int *out) {
  second = 3;
  out[0] = second + first * 2;
}
