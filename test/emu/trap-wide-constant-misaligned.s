# A 64-bit constant at an odd word: DADD R4, RZ, c[0][0x44], which only a binary can have.
# RUN: not %leno-run %s --block 32 --arg out:u64[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: ILLEGAL_OPERAND at test+0x8
# CHECK-SAME: multiple of 8
  .include "Inputs/lane.inc"
  begin
  .quad 0xa9000000023fe087
  store64 R4
