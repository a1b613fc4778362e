# With .W the amount counts modulo 32.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1 << lane"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, 32
  MOV R2, 1
  SHL.W R3, R2, R1
  store R3
