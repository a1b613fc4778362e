# VSETP compares parts as numbers: an unsigned byte is never below a negative one [S1].
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where((0x70 + lane & 0xff) < 0x80, 1, 0) + np.where(0x70 + lane > (0x70 + lane ^ 0x80) - 0x80, 2, 0)"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, 0x70
  MOV R2, 0x80
  VSETP.lt P0, R1.UB0, R2.UB0
  VSETP.gt P1, R1.UB0, R1.B0
  MOV R3, 0
  @P0 IADD R3, R3, 1
  @P1 IADD R3, R3, 2
  store R3
