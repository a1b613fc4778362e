# All lanes want to replace 0 by their number and one: the lowest does, and all see the old value.
# RUN: %leno-run %s --block 32 --arg out:u32[33]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane == 0, 0, 1)"
  .include "Inputs/lane.inc"
  begin
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  IADD R4, R0, 1
  ATOM.CAS R1, [R2.64+128], RZ, R4
  store R1
