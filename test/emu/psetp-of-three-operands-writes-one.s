# PSETP Pu, Pp, Pq writes Pu alone: its sources keep their values.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "4 * ((lane < 16) & (lane % 2 == 1)) + 2 * (lane < 16) + lane % 2"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 16
  LOP.and R1, R0, 1
  ISETP.ne P1, R1, RZ
  PSETP.and P2, P0, P1
  MOV R2, 0
  @P2 IADD R2, R2, 4
  @P0 IADD R2, R2, 2
  @P1 IADD R2, R2, 1
  store R2
