# ISUB.X of an immediate takes the borrow in: 5:lane - 1:16.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane >= 16, 4, 3)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 5
  ISUB.CC R2, R0, 16
  ISUB.X R3, R1, 1
  store R3
