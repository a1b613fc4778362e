# LDC.s8 extends the sign.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "32"
  .include "Inputs/lane.inc"
  begin
  LDC.u8 R1, c[0][out+3]
  LDC.s8 R2, c[0][0]
  IADD R1, R1, R2
  store R1
