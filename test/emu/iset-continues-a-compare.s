# ISET.X compares the highest words of longer numbers through CF and ZF.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where((lane % 4 - 2) * 2**32 + lane // 4 < -2**32 + 3, 0xffffffff, 0) + np.where((lane % 4 - 2) * 2**32 + lane // 4 == -2**32 + 3, 0x3f800000, 0)"
  .include "Inputs/lane.inc"
  begin
  LOP.and R2, R0, 3                # the 64-bit number R2:R1 = (lane % 4 - 2) * 2^32 + lane / 4
  IADD R2, R2, -2
  SHR R1, R0, 2
  MOV R3, 3
  IADD.CC RZ, R1, -R3
  ISET.lt.X R4, R2, -1
  ISET.eq.X.BF R5, R2, -1
  IADD R4, R4, R5
  store R4
