# Lanes that return early wait for the others, who run on in the function.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1000 + lane + np.where(lane < 16, 0, 100)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, R0
  CAL f
  VOTE.any R2, P1, PT
  ISETP.eq P2, R2, -1
  @P2 IADD R1, R1, 1000
  store R1
f:
  ISETP.lt P0, R0, 16
  @P0 RET
  IADD R1, R1, 100
  RET
