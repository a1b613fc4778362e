# IMAD.WIDE.CC tells the carry of 64 bits.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane >= 16"
  .include "Inputs/lane.inc"
  begin
  MOV R4, -16
  MOV R5, -1
  IMAD.WIDE.u32.CC R6, R0, 1, R4
  IADD.X R8, RZ, 0
  store R8
