# MOV32I sets all 32 bits, also those of a float.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "f32(0.1)"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0.1
  store R1
