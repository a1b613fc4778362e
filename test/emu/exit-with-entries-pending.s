# Lanes that exit inside an if are gone; the others meet at the join.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 8, 0, 0xffffff00)"
  .include "Inputs/lane.inc"
  begin
  SHL R1, R0, 2
  ISETP.lt P0, R0, 8
  SSY join
  @P0 BRA gone
  SYNC
gone:
  EXIT
join:
  VOTE.any R2, P1, PT
  store R2
