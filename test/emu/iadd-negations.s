# Each source of IADD may be negated.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(100-lane)*(lane-100) + (-lane-100)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 100
  IADD R2, -R0, R1
  IADD R3, R0, -R1
  IADD R4, -R0, -R1
  IMUL R2, R2, R3
  IADD R1, R2, R4
  store R1
