# LDC reads each lane's own offset: the launch geometry stands in c[0] from 0 on.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([32, 1, 1, 1])[lane & 3]"
  .include "Inputs/lane.inc"
  begin
  LOP.and R1, R0, 3
  SHL R1, R1, 2
  LDC R2, c[0][R1]
  store R2
