# Powers of two are exact down to the least subnormal; 2^-150 is a tie, to even; 2^128 is too large.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([-1, -126, -149, -150, np.nextafter(np.float32(-150), np.float32(0)), 127, 128, -np.inf, np.inf, np.nan, -0.0, 2.0 ** -149], np.float32))"
# RUN: %leno-run %s --block 12 --arg out:u32[12]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([f32(0.5), 0x00800000, 1, 0, 1, f32(2.0 ** 127), 0x7f800000, 0, 0x7f800000, 0x7fffffff, 0x3f800000, 0x3f800000])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  MUFU.EX2 R2, R1
  store R2
