# With .FTZ a double whose single is subnormal gives a zero of its sign; halves and doubles stay as they are.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([2.0 ** -130, -(2.0 ** -130), 2.0 ** -1074, 2.0 ** -20, 2.0 ** -126], np.float64))"
# RUN: %leno-run %s --block 5 --arg out:u32[5]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0 + 1, 0x80000000 + 1, 0 + 1, f32(2.0 ** -20) + 16 + 1, 0x00800000 + 1])"
  .include "Inputs/lane.inc"
  begin_with_input
  load64 R2
  F2F.f32.f64.FTZ R4, R2
  F2F.f16.f64.FTZ R5, R2
  LOP.and R5, R5, 0x7fff
  F2F.f64.f64.FTZ R6, R2
  DSETP.eq P0, R2, R6
  IADD R4, R4, R5
  @P0 IADD R4, R4, 1
  store R4
