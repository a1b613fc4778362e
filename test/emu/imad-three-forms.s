# The constant of a three-source instruction may be the second or third source.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane*32+3)*(lane*3+32)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 3
  IMAD R2, R0, c[0][0], R1
  IMAD R3, R0, R1, c[0][0]
  IMUL R2, R2, R3
  store R2
