# RZ reads 0 and swallows writes.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "5"
  .include "Inputs/lane.inc"
  begin
  MOV RZ, 7
  IADD R1, RZ, 5
  store R1
