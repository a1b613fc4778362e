# A double just above the tie of two singles: its half is not that of its single.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([1 + 2.0 ** -11 + 2.0 ** -40, 1 + 2.0 ** -11], np.float64))"
# RUN: %leno-run %s --block 2 --arg out:u32[2]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x3c01, 0x3c00])"
  .include "Inputs/lane.inc"
  begin_with_input
  load64 R2
  F2F.f16.f64 R4, R2
  store R4
