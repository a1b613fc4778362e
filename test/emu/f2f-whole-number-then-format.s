# A double becomes a whole number first, and that is rounded to single: 2^24 + 1 - 2^-20 upward.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([2.0 ** 24 + 1 - 2.0 ** -20, 2.0 ** 24 + 0.5], np.float64))"
# RUN: %leno-run %s --block 2 --arg out:u32[2]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "f32(np.array([2.0 ** 24 + 2, 2.0 ** 24]))"
  .include "Inputs/lane.inc"
  begin_with_input
  load64 R2
  F2F.f32.f64.RP.ROUND R4, R2
  store R4
