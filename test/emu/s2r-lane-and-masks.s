# LANEID and the lane masks.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane - 1"
  .include "Inputs/lane.inc"
  begin
  S2R R1, SR_LANEID
  S2R R2, SR_LANEMASK_LT
  S2R R3, SR_LANEMASK_GE
  LOP.or R2, R2, R3
  IADD R2, R2, R1
  store R2
