# AND, OR, XOR and NOT are spellings of LOP.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane & 21) | ((lane | 64) << 8) | ((lane ^ 11) << 16) | ((~lane & 0xff) << 24)"
  .include "Inputs/lane.inc"
  begin
  AND R1, R0, 21
  OR R2, R0, 64
  XOR R3, R0, 11
  NOT R4, R0
  ISCADD R1, R2, R1, 8
  ISCADD R1, R3, R1, 16
  ISCADD R1, R4, R1, 24
  store R1
