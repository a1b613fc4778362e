# Lanes past the block's size never run: 40 threads are a warp and 8 lanes.
# RUN: %leno-run %s --block 40 --arg out:u32[40]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 32, 0xffffffff, 0xff)"
  .include "Inputs/lane.inc"
  begin
  VOTE.any R1, P0, PT
  store R1
