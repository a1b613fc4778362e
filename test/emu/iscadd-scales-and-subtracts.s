# ISCADD shifts the first source, then either may be negated.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane*8 + 5) ^ ((1000 - lane*4) << 12)"
  .include "Inputs/lane.inc"
  begin
  ISCADD R2, R0, 5, 3
  MOV R1, 1000
  ISCADD R3, -R0, R1, 2
  SHL R3, R3, 12
  LOP.xor R2, R2, R3
  store R2
