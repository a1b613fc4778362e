# SSY, a divergent branch and SYNC: both sides run, then all lanes together.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 10, 101, 201)"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 10
  SSY join
  @P0 BRA then
  MOV R1, 200
  SYNC
then:
  MOV R1, 100
  SYNC
join:
  VOTE.any R2, P1, PT
  ISETP.eq P2, R2, -1
  @P2 IADD R1, R1, 1
  store R1
