# Breaks leave the inner loop only.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "3 * lane"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  MOV R2, RZ
  PBK outerDone
outer:
  ISETP.ge P0, R2, 3
  @P0 BRK
  MOV R3, RZ
  PBK innerDone
inner:
  ISETP.ge P0, R3, R0
  @P0 BRK
  IADD R1, R1, 1
  IADD R3, R3, 1
  BRA inner
innerDone:
  IADD R2, R2, 1
  BRA outer
outerDone:
  store R1
