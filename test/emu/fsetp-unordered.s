# A comparison with NaN is false, and with .u it is true.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "6"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, nan
  FSETP.lt P0, R1, 0.0
  FSETP.ltu P1, R1, 0.0
  FSETP.nan P2, R1, R1
  FSETP.num P3, R1, R1
  MOV R9, 1
  SEL R2, R9, RZ, P0
  SEL R3, R9, RZ, P1
  SEL R4, R9, RZ, P2
  SEL R5, R9, RZ, P3
  IMAD R2, R2, 2, R3
  IMAD R2, R2, 2, R4
  IMAD R2, R2, 2, R5
  store R2
