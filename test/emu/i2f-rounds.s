# 2^24 + 1 is halfway: even for .RN, up for .RP.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x01000001
  I2F R2, R1
  I2F.RP R3, R1
  IADD R2, R3, -R2
  store R2
