# An indexed constant past the bank.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: INVALID_CONSTANT_ADDRESS at test+0x10
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x10000
  LDC R2, c[3][R1]
  store R2
