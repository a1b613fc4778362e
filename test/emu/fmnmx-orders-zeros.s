# -0 is less than +0, on either side.
# RUN: %leno-run %s --block 1 --arg out:u32[1]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0x80000000 + 1 + 2 + 4"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x80000000
  FMIN R2, RZ, R1
  FMIN R3, R1, RZ
  FMAX R4, RZ, R1
  FMAX R5, R1, RZ
  ISETP.eq P0, R2, R3
  ISETP.eq P1, R4, R5
  ISETP.eq P2, R4, 0
  @P0 IADD R2, R2, 1
  @P1 IADD R2, R2, 2
  @P2 IADD R2, R2, 4
  store R2
