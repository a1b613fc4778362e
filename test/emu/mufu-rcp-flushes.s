# With .FTZ a subnormal source is a zero, and a subnormal result becomes one.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0x00400000, 0x80000001, 0x7f000000, 0xff000000], np.uint32))"
# RUN: %leno-run %s --block 4 --arg out:u32[4]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x7f800000, 0xff800000, 0, 0x80000000])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  MUFU.RCP.FTZ R2, R1
  store R2
