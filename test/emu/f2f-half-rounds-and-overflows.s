# To half precision: ties, the largest number, overflow, subnormals, a NaN; the upper half of the result is zero.
# The low half of each word is to nearest, the upper one toward zero.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([65519.996, 65520.0, -1e30, 1 + 2.0 ** -11, 1 + 3 * 2.0 ** -11, 2.0 ** -25, 3 * 2.0 ** -25, np.nan, -0.0, -np.inf], np.float32))"
# RUN: %leno-run %s --block 10 --arg out:u32[10]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x7bff7bff, 0x7bff7c00, 0xfbfffc00, 0x3c003c00, 0x3c013c02, 0x00000000, 0x00010002, 0x7fff7fff, 0x80008000, 0xfc00fc00])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  F2F.f16.f32 R2, R1
  F2F.f16.f32.RZ R3, R1
  SHL R3, R3, 16
  IADD R2, R2, R3
  store R2
