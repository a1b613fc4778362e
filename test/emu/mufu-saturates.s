# Results clamp to 0..1, and NaN to +0.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0, 0x80000000, 0x40000000, 0xbf800000, 0x7fc00000, 0x3f000000], np.uint32))"
# RUN: %leno-run %s --block 6 --arg out:u32[6]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x3f800000, 0, f32(0.5), 0, 0, 0x3f800000])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  MUFU.RCP.SAT R2, R1
  store R2
