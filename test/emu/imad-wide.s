# IMAD.WIDE adds the whole product to a pair, .X takes the carry in; here the high word of (lane - 5) * -3 + 7:0.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(((lane - 5) * -3 + (7 << 32)) >> 32)"
  .include "Inputs/lane.inc"
  begin
  IADD R2, R0, -5
  MOV R4, 0
  MOV R5, 7
  IMAD.WIDE R6, R2, -3, R4
  store R7
