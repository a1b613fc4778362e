# Doubles are never flushed: the smallest subnormal times the lane, added to itself.
# RUN: %leno-run %s --block 32 --arg out:u64[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "2 * lane"
  .include "Inputs/lane.inc"
  begin
  MOV R2, R0
  MOV R3, RZ
  DADD R4, R2, R2
  store64 R4
