# -0 equals +0; a NaN is neither equal nor unequal when ordered, and everything when unordered.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0x8000000000000000, 0x7ff0000000000001, 0xfff8000000000000, 1], np.uint64))"
# RUN: %leno-run %s --block 4 --arg out:u32[4]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([1 + 16, 2 + 8, 2 + 8, 4 + 8 + 32])"
  .include "Inputs/lane.inc"
  begin_with_input
  load64 R2
  MOV R1, RZ
  DSETP.eq P0, R2, RZ
  DSETP.nan P1, R2, RZ
  DSETP.ne P2, R2, RZ
  DSETP.neu P3, R2, RZ
  DSETP.equ.and P4, R2, RZ, !P1
  DSETP.gt P5, R2, RZ             # the least subnormal
  @P0 IADD R1, R1, 1
  @P1 IADD R1, R1, 2
  @P2 IADD R1, R1, 4
  @P3 IADD R1, R1, 8
  @P4 IADD R1, R1, 16
  @P5 IADD R1, R1, 32
  store R1
