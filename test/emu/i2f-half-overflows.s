# 65520 and more are infinity to nearest, 65504 toward zero; zero is +0 rounding down.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([65519, 65520, 2 ** 31 - 1, 0, -65520], np.int32))"
# RUN: %leno-run %s --block 5 --arg out:u32[5]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x7bff7bff, 0x7c007bff, 0x7c007bff, 0, 0xfc00fc00])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  I2F.f16 R2, R1
  I2F.f16.RM R3, R1
  SHL R2, R2, 16
  IADD R2, R2, R3
  store R2
