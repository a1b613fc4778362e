# VSHL and VSHR take the amount from an unsigned part; it clamps at 32 or wraps with .W.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([(0xffffff80 << (i + 16) & 0xffffffff if i < 16 else 0) ^ (0x80 >> (i + 16) % 32) for i in range(32)])"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x80
  IADD R2, R0, 16
  SHL R2, R2, 24
  VSHL R3, R1.B0, R2.B3
  VSHR.W R4, R1.UB0, R2.UB3
  LOP.xor R3, R3, R4
  store R3
