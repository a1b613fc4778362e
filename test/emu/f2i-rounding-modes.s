# To nearest even, down and up.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(np.rint(lane - 15.5) * 64 + np.floor(lane - 15.5)) * 64 + np.ceil(lane - 15.5)"
  .include "Inputs/lane.inc"
  begin
  I2F R1, R0
  FADD R1, R1, -15.5
  F2I.RN R2, R1
  F2I.RM R3, R1
  F2I.RP R4, R1
  IMAD R2, R2, 64, R3
  IMAD R2, R2, 64, R4
  store R2
