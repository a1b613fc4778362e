# CAL pushes the return address; RET goes back.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "4 * lane"
  .include "Inputs/lane.inc"
  begin
  MOV R1, R0
  CAL twice
  CAL twice
  store R1
twice:
  IADD R1, R1, R1
  RET
