# BRA.SSY pushes the join itself, before it branches [S0]: if and else without an SSY.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 10, 99, 199)"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 10
  @P0 BRA.SSY then, join
  MOV R1, 200
  SYNC
then:
  MOV R1, 100
  SYNC
join:
  VOTE.any R2, P1, PT
  IADD R1, R1, R2               # -1 when all lanes are here
  store R1
