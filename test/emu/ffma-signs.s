# -R1 negates the product, -Rc the addend.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0"
  .include "Inputs/lane.inc"
  begin
  I2F R1, R0
  MOV32I R2, 3.0
  FFMA R3, -R1, R2, R2
  FFMA R4, R1, R2, -R2
  FADD R3, R3, R4
  store R3
