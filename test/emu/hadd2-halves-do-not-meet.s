# HADD2 adds each half on its own: no carry or overflow of the low one reaches the high one.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0x40007c00 * (lane < 8) + 0x3c007bff * ((lane >= 8) & (lane < 16)) + 0x7fff8000 * ((lane >= 16) & (lane < 24)) + 0x3c000000 * (lane >= 24)"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x3c007bff         # 1, 65504
  MOV32I R2, 0x3c007bff
  MOV32I R3, 0x00007bff         # 0, 65504
  MOV32I R4, 0x7c008000         # infinity, -0
  MOV32I R5, 0xfc008000         # -infinity, -0
  MOV32I R6, 0x38000001         # 0.5, the least subnormal
  ISETP.lt P0, R0, 8
  ISETP.ge P1, R0, 16
  ISETP.ge P2, R0, 24
  HADD2.RZ R10, R1, R3          # 1, the largest: toward zero it does not overflow
  @P0 HADD2 R10, R1, R2         # 2, infinity
  @P1 HADD2 R10, R4, R5         # NaN, -0
  @P2 HADD2.FTZ R10, R6, R6     # 1, 0
  store R10
