# LOP3's table gives the result for each combination of the three bits; here majority, then a select.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "((lane & 21) | (lane & 13) | (21 & 13)) ^ (((lane & 5) | (~lane & 9)) << 8)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 21
  MOV R2, 13
  LOP3 R3, R0, R1, R2, 0xe8
  MOV R5, 9
  LOP3 R4, R0, 5, R5, (0xf0 & 0xcc) | (~0xf0 & 0xaa)
  SHL R4, R4, 8
  LOP.xor R3, R3, R4
  store R3
