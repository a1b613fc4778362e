# Threads number x first: block 8,8 gives TID.Y = 4 for the first lane of warp 1.
# RUN: %leno-run %s --block 8,8 --arg out:u32[64]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane // 32) * 100 + lane // 8"
  .include "Inputs/lane.inc"
  begin
  S2R R1, SR_TID.Y
  S2R R2, SR_NTID.X
  IMAD R0, R1, R2, R0
  S2R R3, SR_WARPID
  IMAD R1, R3, 100, R1
  store R1
