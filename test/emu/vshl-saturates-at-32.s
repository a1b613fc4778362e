# VSHL by 32 leaves the range whatever is shifted, and .SAT tells the side.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane == 9, 0, np.where(lane > 9, 0x7fffffff, 0x80000000))"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, -9
  VSHL.SAT R2, R1, 32
  store R2
