# Flags of .CC carry into .X: a 64-bit sum in two words.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane >= 16, 6, 5)"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0xfffffff0
  IADD.CC R2, R1, R0
  IADD.X R3, RZ, 5
  store R3
