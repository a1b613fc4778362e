# 64 bits to single: a tie of doubles must not become a tie of singles. Upward in the odd lanes.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([2 ** 62 + 2 ** 38 + 1, 2 ** 62 + 1, -(2 ** 62) - 2 ** 38 - 1, -(2 ** 62) - 1, -(2 ** 63), 1], np.int64))"
# RUN: %leno-run %s --block 6 --arg out:u32[6]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([f32(2.0 ** 62 + 2.0 ** 39), f32(2.0 ** 62 + 2.0 ** 39), f32(-(2.0 ** 62) - 2.0 ** 39), f32(-(2.0 ** 62)), f32(-(2.0 ** 63)), f32(1.0)])"
  .include "Inputs/lane.inc"
  begin_with_input
  load64 R2
  LOP.and R1, R0, 1
  ISETP.ne P0, R1, 0
  I2F.s64 R4, R2
  @P0 I2F.s64.RP R4, R2
  store R4
