# To nearest even, down, up and toward zero, in that order; a zero keeps the sign of what it came from.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([2.5, -2.5, 0.5, -0.5, -0.25, 0.75, 3.5, -3.0] * 4, np.float32))"
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "f32(np.concatenate([f(np.array([2.5, -2.5, 0.5, -0.5, -0.25, 0.75, 3.5, -3.0])) for f in (np.rint, np.floor, np.ceil, np.trunc)]))"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  F2F.f32.f32.ROUND R2, R1
  ISETP.ge P0, R0, 8
  @P0 F2F.f32.f32.FLOOR R2, R1
  ISETP.ge P0, R0, 16
  @P0 F2F.f32.f32.CEIL R2, R1
  ISETP.ge P0, R0, 24
  @P0 F2F.f32.f32.TRUNC R2, R1
  store R2
