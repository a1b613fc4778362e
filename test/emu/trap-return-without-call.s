# RET with no call pending.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: RET_EMPTY_STACK at test+0x8
  .include "Inputs/lane.inc"
  begin
  RET
  store R0
