# A function that calls itself to a depth that differs by lane.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane * (lane + 1) // 2"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  MOV R2, R0
  CAL sum
  store R1
sum:
  ISETP.eq P0, R2, RZ
  @P0 RET
  IADD R1, R1, R2
  IADD R2, R2, -1
  CAL sum
  RET
