# Stores of bytes and halves, loads that extend.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane - 16) * 1000 + ((lane - 16) & 255)"
  .include "Inputs/lane.inc"
  begin
  .shared bytes, 64
  IADD R1, R0, -16
  STS.u8 [R0], R1
  LDS.s8 R2, [R0]
  LDS.u8 R3, [R0]
  IMAD R2, R2, 1000, R3
  store R2
