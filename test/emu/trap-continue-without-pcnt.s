# CONT with no pre-continue pending.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: STACK_ERROR at test+0x8
  .include "Inputs/lane.inc"
  begin
  CONT
  store R0
