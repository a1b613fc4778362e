# 1 + 2^-25 rounds by the mode; -(1 + 2^-25) the other way.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "5 - 4 + 4 - 0 if False else (0x3f800000 ^ 0x3f800001) * 4 + (0xbf800001 ^ 0xbf800000)"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x33000000
  MOV R9, 1
  I2F R2, R9
  FADD.RN R3, R2, R1
  FADD.RP R4, R2, R1
  FADD.RM R5, -R2, -R1
  FADD.RZ R6, -R2, -R1
  LOP.xor R3, R3, R4
  LOP.xor R5, R5, R6
  IMAD R3, R3, 4, R5
  store R3
