# 0 becomes the operand, then down to 0 again.
# RUN: %leno-run %s --block 32 --arg out:u32[33]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane == 32, (7 - 32 % 7) % 7, (7 - lane % 7) % 7)"
  .include "Inputs/lane.inc"
  begin
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  MOV R5, 6
  ATOM.dec R1, [R2.64+128], R5
  store R1
