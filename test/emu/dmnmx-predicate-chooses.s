# Minimum where the predicate is false, maximum where it is true [S1], of register pairs.
# RUN: %leno-run %s --block 32 --arg out:f64[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 2, np.maximum(lane - 15.5, 0.25), np.minimum(lane - 15.5, 0.25))"
  .include "Inputs/lane.inc"
  begin
  I2F.f64 R2, R0
  DADD R2, R2, -15.5
  LOP.and R1, R0, 1
  ISETP.ne P0, R1, 0
  DMNMX R4, R2, 0.25, P0
  store64 R4
