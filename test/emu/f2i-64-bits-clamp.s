# Doubles at the borders of s64 and u64, which are not doubles themselves.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([2.0 ** 63, 2.0 ** 63 - 1024, -(2.0 ** 63), -(2.0 ** 63) - 2048, 2.0 ** 64, 2.0 ** 64 - 2048, -0.99, -1.0], np.float64))"
# RUN: %leno-run %s --block 8 --arg out:u64[8]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([2 ** 63, 2 ** 63 - 1024, 0, 0, 2 ** 64 - 1, 2 ** 64 - 2048, 0, 0], np.uint64) ^ np.array([2 ** 63 - 1, 2 ** 63 - 1024, 2 ** 63, 2 ** 63, 2 ** 63 - 1, 2 ** 63 - 1, 0, 2 ** 64 - 1], np.uint64)"
  .include "Inputs/lane.inc"
  begin_with_input
  load64 R2
  F2I.u64.f64 R4, R2
  F2I.s64.f64 R6, R2
  LOP.xor R4, R4, R6
  LOP.xor R5, R5, R7
  store64 R4
