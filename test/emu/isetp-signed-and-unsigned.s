# Comparison is signed unless .u32 is given.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 16, 2, 1)"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, -16
  ISETP.lt P0, R1, RZ
  ISETP.lt.u32 P1, R1, 16
  MOV R3, 1
  SEL R2, R3, RZ, P0
  SEL R3, R3, RZ, P1
  IMAD R2, R2, 2, R3
  store R2
