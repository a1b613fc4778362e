# ISUB subtracts an immediate as a register of that value: CF after it is 1 when there was no borrow, also for 0.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane - 7) + np.where(lane >= 7, 1, 0)*256 + 512"
  .include "Inputs/lane.inc"
  begin
  ISUB.CC R2, R0, 7
  IADD.X R3, RZ, 0
  ISUB.CC RZ, R0, 0
  IADD.X R4, RZ, 0
  ISCADD R2, R3, R2, 8
  ISCADD R2, R4, R2, 9
  store R2
