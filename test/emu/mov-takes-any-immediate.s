# MOV of an immediate that needs 32 bits is MOV32I.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0x12345678 ^ f32(1.1)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x12345678
  MOV R2, 1.1
  LOP.xor R1, R1, R2
  store R1
