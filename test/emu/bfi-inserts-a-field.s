# BFI puts the low bits of a register into a field of another.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0x5a5a5a5a & ~(0x3f << 9) | (lane + 40 & 0x3f) << 9"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x5a5a5a5a
  IADD R2, R0, 40
  BFI R3, R2, 0x0609, R1
  store R3
