# Several lanes at one address: each gets what the executing lane below it has left.
# RUN: %leno-run %s --block 32 --arg out:u32[33]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane == 0, 0, np.where(lane == 32, 31, lane - 1))"
  .include "Inputs/lane.inc"
  begin
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  ATOM.exch R1, [R2.64+128], R0
  store R1
