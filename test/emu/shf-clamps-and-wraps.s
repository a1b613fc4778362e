# SHF with an amount of 32 and more takes a whole word, or wraps with .W.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane >= 1, 0x89abcdef, 0x01234567) ^ np.array([0x89abcdef01234567 >> i & 0xffffffff for i in range(32)])"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x01234567
  MOV R2, 0x89abcdef
  SHL R4, R0, 5
  SHF.R R3, R1, R4, R2
  IADD R5, R0, 96
  SHF.R.W R6, R1, R5, R2
  LOP.xor R3, R3, R6
  store R3
