# 0, 1, ..., 6, 0, 1, ...: a count that starts again after the operand.
# RUN: %leno-run %s --block 32 --arg out:u32[33]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane == 32, 32 % 7, lane % 7)"
  .include "Inputs/lane.inc"
  begin
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  MOV R5, 6
  ATOM.inc R1, [R2.64+128], R5
  store R1
