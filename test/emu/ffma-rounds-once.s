# FFMA keeps the exact product: (1+2^-12)^2 - 1 = 2^-11 + 2^-24.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "f32(2.0**-11 + 2.0**-24)"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x3f800800
  FFMA R2, R1, R1, -RZ
  MOV32I R3, 0xbf800000
  FFMA R2, R1, R1, R3
  store R2
