# Each source of LOP may be inverted.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "~((~lane & 12) ^ (lane | ~12))"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 12
  LOP.and R2, ~R0, R1
  LOP.or R3, R0, ~R1
  LOP.xor R2, R2, R3
  LOP.pass R4, R0, ~R2
  store R4
