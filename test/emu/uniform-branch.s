# A uniform branch pushes nothing.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 1
  BRA.U over
  MOV R1, 2
over:
  store R1
