# A reduction with .S joins its lanes, and they have the result behind the join; registers of other lanes stay.
# RUN: %leno-run %s --block 64 --arg out:u32[64]:%t.npy
# RUN: %python %tools/expect.py %t.npy "40"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 40
  MOV R2, 7
  SSY join
  BAR.RED.POPC.S R2, 0, P0
  MOV R2, 9
join:
  store R2
