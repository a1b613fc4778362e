# Two levels of if, each with its own join.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1000 + np.where(lane % 2, np.where(lane < 16, 120, 110), 1)"
  .include "Inputs/lane.inc"
  begin
  LOP.and R2, R0, 1
  ISETP.ne P0, R2, RZ
  ISETP.lt P1, R0, 16
  MOV R1, RZ
  SSY outer
  @P0 BRA odd
  IADD R1, R1, 1
  SYNC
odd:
  SSY inner
  @P1 BRA low
  IADD R1, R1, 10
  SYNC
low:
  IADD R1, R1, 20
  SYNC
inner:
  IADD R1, R1, 100
  SYNC
outer:
  IADD R1, R1, 1000
  store R1
