# BRA.U promises that the lanes agree; broken, it traps.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: DIVERGENT at test+0x10
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 4
  @P0 BRA.U over
over:
  store R0
