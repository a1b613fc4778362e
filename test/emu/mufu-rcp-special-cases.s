# 1/+-0, 1/+-infinity, a NaN, 1/3 to nearest, and the reciprocals that are subnormal or overflow.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0, 0x80000000, 0x7f800000, 0xff800000, 0xff800001, 0x40400000, 0x7f000000, 0x00200000, 0x00200001], np.uint32))"
# RUN: %leno-run %s --block 9 --arg out:u32[9]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x7f800000, 0xff800000, 0, 0x80000000, 0x7fffffff, f32(1 / 3), 0x00400000, 0x7f800000, f32(1 / float(np.uint32(0x00200001).view(np.float32)))])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  MUFU.RCP R2, R1
  store R2
