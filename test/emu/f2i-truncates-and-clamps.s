# F2I truncates by default, clamps out of range, and makes NaN 0.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.trunc(lane - 15.5).astype(np.int64)"
  .include "Inputs/lane.inc"
  begin
  I2F R1, R0
  FADD R1, R1, -15.5
  F2I R2, R1
  MOV32I R3, 3.0e9
  F2I R4, R3
  MOV32I R5, nan
  F2I R6, R5
  F2I.u32 R7, -R3
  IADD R2, R2, R6
  IADD R2, R2, R7
  MOV32I R8, 0x7fffffff
  IADD R4, R4, -R8
  IADD R2, R2, R4
  store R2
