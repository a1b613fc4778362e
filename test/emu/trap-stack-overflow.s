# Endless recursion meets the driver's nesting limit [S0].
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy --set warp.stackDepth=64 2>&1 | FileCheck %s
# CHECK: error: STACK_OVERFLOW at f
  .include "Inputs/lane.inc"
  begin
  CAL f
  store R0
f:
  CAL f
  RET
