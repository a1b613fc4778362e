# VABSDIFF.add sums absolute differences.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1000 + abs(lane - 9) + abs(lane * 2 - 9)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x0909
  SHL R2, R0, 9
  LOP.or R2, R2, R0
  MOV R3, 1000
  VABSDIFF.add R3, R1.UB0, R2.UB0, R3
  VABSDIFF.add R3, R1.UB1, R2.UB1, R3
  store R3
