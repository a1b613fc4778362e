# A register that was never written reads 0 (CHOICE).
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0"
  .include "Inputs/lane.inc"
  begin
  store R77
