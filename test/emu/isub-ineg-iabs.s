# ISUB, INEG and IABS are spellings of IADD and I2I.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane - 9) * -1 + np.abs(lane - 9) * 64"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 9
  ISUB R2, R0, R1
  INEG R3, R2
  IABS R4, R2
  ISCADD R3, R4, R3, 6
  store R3
