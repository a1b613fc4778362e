# BFE of length 0 is 0, of a field past the end copies of the sign or 0.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "-1"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x80000000
  BFE R2, R1, R0
  BFE R3, R1, 0x0428
  IADD R2, R2, R3
  store R2
