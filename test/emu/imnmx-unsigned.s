# IMNMX.u32 compares without signs; an immediate is sign-extended all the same.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane + np.maximum(lane, 3)"
  .include "Inputs/lane.inc"
  begin
  IMIN.u32 R2, R0, -1
  MOV R4, 3
  IMAX R3, R0, R4
  IADD R2, R2, R3
  store R2
