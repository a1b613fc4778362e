# CF = 1 after a subtraction means no borrow: a 64-bit difference in two words.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane >= 16, 9, 8)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 16
  IADD.CC R2, R0, -R1
  MOV R4, 9
  IADD.X R3, R4, -RZ
  store R3
