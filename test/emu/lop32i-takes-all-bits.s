# LOP32I has all 32 bits of its immediate and may invert the register.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(~lane & 0x12345678) ^ 0xdeadbeef"
  .include "Inputs/lane.inc"
  begin
  LOP32I.and R1, ~R0, 0x12345678
  LOP32I.xor R1, R1, 0xdeadbeef
  store R1
