# I2I clamps to the range of the result with .SAT, and cuts without; a byte of the source may be chosen.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.clip(700 - lane * 50, 0, 255) + ((((lane * 50 - 700 + 128) % 256) - 128) << 8) + ((lane - 128) << 20)"
  .include "Inputs/lane.inc"
  begin
  IMUL R1, R0, 50
  IADD R1, R1, -700
  I2I.u8.SAT R2, -R1
  I2I.s8 R3, R1
  ISCADD R2, R3, R2, 8
  MOV R4, 0x00800000
  ISCADD R4, R0, R4, 16
  I2I.s32.s8.b2 R5, R4
  ISCADD R2, R5, R2, 20
  store R2
