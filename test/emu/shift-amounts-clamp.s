# Amounts of 32 and more give 0 for SHL, the sign for SHR.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(np.where(lane+16 < 32, -5 << (lane+16), 0) + (-5 >> np.minimum(lane+16, 63))) & 0xffffffff ^ np.where(lane+16 < 32, 0xfffffffb >> (lane+16), 0)"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, 16
  MOV R2, -5
  SHL R3, R2, R1
  SHR R4, R2, R1
  SHR.u32 R5, R2, R1
  IADD R3, R3, R4
  LOP.xor R3, R3, R5
  store R3
