# Whatever the upper half of the register holds; halves that are subnormal are singles that are not.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0xffff3c00, 0x00018001, 0x12347c01, 0xabcd7bff, 0x0000fc00], np.uint32))"
# RUN: %leno-run %s --block 5 --arg out:u32[5]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([f32(1.0), f32(-(2.0 ** -24)), 0x7fffffff, f32(65504.0), 0xff800000])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  F2F.f32.f16.FTZ R2, R1
  store R2
