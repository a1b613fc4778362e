# VADD adds a byte and a half, each signed or unsigned.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([(0x80 + i & 0xff) + (0x8000 - 0x10000 + i) for i in range(32)])"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, 0x80
  SHL R1, R1, 16
  MOV R2, 0x8000
  IADD R2, R2, R0
  VADD R3, R1.UB2, R2.H0
  store R3
