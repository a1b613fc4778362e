# Every NaN result is 0x7fffffff.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0x7fffffff"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, inf
  FADD R2, R1, -R1
  MOV32I R3, 0xffc12345
  FADD R4, R3, 1.0
  IADD R2, R2, -R4
  IADD R2, R2, R4
  store R2
