# A loop by a divergent backward branch alone: each turn leaves an entry, unwound at the join.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "100 + np.maximum(lane, 1)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  SSY join
loop:
  IADD R1, R1, 1
  ISETP.lt P0, R1, R0
  @P0 BRA loop
  SYNC
join:
  IADD R1, R1, 100
  store R1
