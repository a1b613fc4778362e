# FSET gives all ones, with .BF 1.0f, where the test holds; a NaN is unequal and unordered.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane == 7, 0xffffffff, np.where(lane < 7, 0x3f800000, 0))"
  .include "Inputs/lane.inc"
  begin
  I2F R1, R0
  FSET.lt.BF R2, R1, 7.0
  FSET.eq R3, R1, 7.0
  LOP.or R2, R2, R3
  MOV32I R4, 0x7fc00000
  FSET.eq R5, R4, R4             # no
  FSET.lt R6, R4, R1             # no
  LOP.or R2, R2, R5
  LOP.or R2, R2, R6
  FSET.neu R5, R4, R4            # yes
  LOP.and R2, R2, R5
  store R2
