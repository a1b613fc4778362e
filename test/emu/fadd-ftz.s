# FTZ flushes subnormal inputs and results to a zero of the same sign.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(0x80000000 ^ 0x80000000) + 0x80000001"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x80000001
  FADD.FTZ R2, R1, -0.0
  MOV32I R3, 0x00800000
  MOV32I R4, 0x80800001
  FADD.FTZ R5, R3, R4
  LOP.xor R2, R2, R5
  FADD R6, R3, R4
  IADD R2, R2, R6
  store R2
