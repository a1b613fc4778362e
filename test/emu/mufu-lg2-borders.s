# Exact at powers of two, subnormal ones too; +0 at 1; zeros give -infinity, below them is no logarithm.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([1, 2, 2.0 ** -149, 2.0 ** 127, 0.0, -0.0, -1, np.inf, -np.inf, np.nan, 3], np.float32))"
# RUN: %leno-run %s --block 11 --arg out:u32[11]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0, f32(1.0), f32(-149.0), f32(127.0), 0xff800000, 0xff800000, 0x7fffffff, 0x7f800000, 0x7fffffff, 0x7fffffff, f32(1.5849625007211562)])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  MUFU.LG2 R2, R1
  store R2
