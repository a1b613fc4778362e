# SAT clamps to 0..1 and makes NaN 0.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "f32(np.clip(lane * 0.125 - 1, 0, 1))"
  .include "Inputs/lane.inc"
  begin
  I2F R1, R0
  FMUL R1, R1, 0.125
  FADD.SAT R2, R1, -1.0
  store R2
