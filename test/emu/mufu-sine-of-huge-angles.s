# Radians of any size, correctly rounded: the expected digits are MPFR's of the sine and cosine of these numbers.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0.0, -0.0, 2.0 ** 127, -(2.0 ** 127), 1e22, 16367173.0, np.inf, 1.5707963705062866] * 2, np.float32))"
# RUN: %leno-run %s --block 16 --arg out:u32[16]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0, 0x80000000, 0x3f1f9631, 0xbf1f9631, 0xbf3becc4, 0x3da217b9, 0x7fffffff, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f482b8f, 0x3f482b8f, 0x3f2dd6f7, 0xbf7f3269, 0x7fffffff, 0xb33bbd2e])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  ISETP.ge P0, R0, 8
  MUFU.SIN R2, R1
  @P0 MUFU.COS R2, R1
  store R2
