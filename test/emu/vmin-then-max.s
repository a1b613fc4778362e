# VMIN and VMAX with a second operation clamp a part to a range, signed or unsigned.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.clip(lane - 16, -5, 9) + np.clip(lane * 8, 20, 200) * 256"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, -16
  MOV R4, -5
  VMIN.max R2, R1.B0, 9, R4
  SHL R3, R0, 3
  MOV R4, 200
  VMAX.min.u32 R3, R3.UB0, 20, R4
  ISCADD R2, R3, R2, 8
  store R2
