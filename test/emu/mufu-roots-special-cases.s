# SQRT in the upper half, RSQ in the lower: zeros keep their sign, below zero there is none.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0, 0x80000000, 0x7f800000, 0xff800000, 0xbf800000, 1, 0x40000000, 0x41100000] * 2, np.uint32))"
# RUN: %leno-run %s --block 16 --arg out:u32[16]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0, 0x80000000, 0x7f800000, 0x7fffffff, 0x7fffffff, f32(2.0 ** -74.5), f32(2.0 ** 0.5), f32(3.0), 0x7f800000, 0xff800000, 0, 0x7fffffff, 0x7fffffff, f32(2.0 ** 74.5), f32(2.0 ** -0.5), f32(1 / 3)])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  ISETP.ge P0, R0, 8
  MUFU.SQRT R2, R1
  @P0 MUFU.RSQ R2, R1
  store R2
