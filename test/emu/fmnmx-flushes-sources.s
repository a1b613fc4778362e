# With .FTZ subnormal sources are zeros of their sign; without, the lesser magnitude is kept.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([1, 0x80000001, 0x007fffff, 0x80800000], np.uint32))"
# RUN: %leno-run %s --block 4 --arg out:u32[4]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0, 0x80000000 + 0x80000001, 0, 2 * 0x80800000])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  FMIN.FTZ R2, R1, RZ
  FMIN R3, R1, RZ
  IADD R2, R2, R3
  store R2
