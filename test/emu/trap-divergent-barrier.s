# A barrier under divergent control traps.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: DIVERGENT at join
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 4
  SSY join
  @P0 BRA join
  SYNC
join:
  @P0 BAR.SYNC 0
  store R0
