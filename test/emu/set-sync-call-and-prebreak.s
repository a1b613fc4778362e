# CAL.SSY and PBK.SSY push the join beneath their own entry: lanes that leave early by SYNC meet the others there.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 8, 1, 2) * 1000 + np.where(lane % 2, 10, 20)"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 8
  LOP.and R2, R0, 1
  ISETP.ne P1, R2, RZ
  CAL.SSY f, called
  SYNC                          # all lanes have returned
called:
  PBK.SSY done, met
  @P1 IADD R1, R1, 10
  @P1 BRK
  IADD R1, R1, 20
  BRK
done:
  SYNC
met:
  store R1
f:
  @P0 MOV R1, 1000
  @P0 RET
  MOV R1, 2000
  RET
