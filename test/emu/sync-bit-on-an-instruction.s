# An instruction with .S executes first, then its lanes join.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 10, 99, 199)"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 10
  SSY join
  @P0 BRA then
  MOV.S R1, 200
then:
  MOV.S R1, 100
join:
  VOTE.any R2, P1, PT
  IADD R1, R1, R2
  store R1
