# IABS wraps for the lowest integer, or clamps with .SAT.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0x80000000 + 0x7fffffff"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x80000000
  IABS R2, R1
  IABS.SAT R3, R1
  IADD R2, R2, R3
  store R2
