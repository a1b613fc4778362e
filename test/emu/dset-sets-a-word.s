# DSET fills one register, not a pair: all ones, or 1.0f with .BF.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane > 3, 0x3f800000, 0) + 77"
  .include "Inputs/lane.inc"
  begin
  MOV R5, 77
  I2F.f64 R2, R0
  DSET.gt.BF R4, R2, 3.0
  IADD R4, R4, R5
  store R4
