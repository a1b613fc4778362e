# (1 + 2^-52)^2 - (1 + 2^-51) = 2^-104: nothing would be left after a product rounded on its own.
# RUN: %leno-run %s --block 1 --arg out:f64[1]:%t.npy
# RUN: %python %tools/expect.py %t.npy "2.0 ** -104"
  .include "Inputs/lane.inc"
  begin
  MOV R2, 1
  MOV32I R3, 0x3ff00000
  MOV R4, 2
  MOV R5, R3
  DFMA R6, R2, R2, -R4
  store64 R6
