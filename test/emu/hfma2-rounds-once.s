# HFMA2 rounds the exact product plus c once: 1.0009765625 squared, less 1.001953125, is the 2^-20 that HMUL2 loses.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 16, 0x00100010, 0x00000000)"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x3c013c01         # 1 + 2^-10
  MOV32I R2, 0x3c023c02         # 1 + 2^-9
  HFMA2 R3, R1, R1, -R2
  HMUL2 R4, R1, R1
  HADD2 R4, R4, -R2
  ISETP.lt P0, R0, 16
  SEL R3, R3, R4, P0
  store R3
