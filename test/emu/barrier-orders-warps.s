# After the barrier each warp sees what the others stored.
# RUN: %leno-run %s --block 128 --arg out:u32[128]:%t.npy
# RUN: %python %tools/expect.py %t.npy "127 - lane"
  .include "Inputs/lane.inc"
  begin
  .shared words, 512
  SHL R1, R0, 2
  STS [R1], R0
  BAR.SYNC 0
  LOP.xor R2, R0, 127
  SHL R2, R2, 2
  LDS R3, [R2]
  store R3
