# Running past the last instruction.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: PC_OUT_OF_RANGE
  .include "Inputs/lane.inc"
  begin
  BRA tail
  store R0
tail:
  NOP
