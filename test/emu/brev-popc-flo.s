# BREV turns the bits around, POPC counts them, FLO finds the highest.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([int(f'{i * 77:032b}'[::-1], 2) & 0xffff0000 | bin(i * 77).count('1') << 8 | (i * 77).bit_length() - 1 & 0xff for i in range(32)])"
  .include "Inputs/lane.inc"
  begin
  IMUL R1, R0, 77
  BREV R2, R1
  LOP32I.and R2, R2, 0xffff0000
  POPC R3, R1
  ISCADD R2, R3, R2, 8
  FLO.u32 R4, R1
  AND R4, R4, 0xff
  IADD R2, R2, R4
  store R2
