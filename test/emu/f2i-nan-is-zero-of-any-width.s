# NaN gives 0 in every format, from every format; infinities clamp.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0x7ff8000000000000, 0xfff0000000000001, 0x7ff0000000000000, 0xfff0000000000000], np.uint64))"
# RUN: %leno-run %s --block 4 --arg out:u64[4]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0, 0, 0x7fffffffffffffff + 0xff, 0x8000000000000000], np.uint64)"
  .include "Inputs/lane.inc"
  begin_with_input
  load64 R2
  F2I.s64.f64 R4, R2
  F2I.u8.f64 R6, R2
  IADD.CC R4, R4, R6
  IADD.X R5, R5, RZ
  store64 R4
