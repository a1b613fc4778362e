# 64 and 128 bits move aligned pairs and quads.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane + 3) * 100 + lane + 4"
  .include "Inputs/lane.inc"
  begin
  .shared words, 512
  SHL R20, R0, 4
  IADD R4, R0, 1
  IADD R5, R0, 2
  IADD R6, R0, 3
  IADD R7, R0, 4
  STS.128 [R20], R4
  LDS.64 R10, [R20+8]
  IMAD R10, R10, 100, R11
  store R10
