# LEA.CC and LEA.HI.X add a 64-bit index, scaled, to a 64-bit base.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "((((lane << 32) + 0xf0000000 + lane) * 8 + ((7 << 32) + 0x90000000)) >> 32) & 0xffffffff"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0xf0000000
  IADD R2, R1, R0
  MOV R4, 0x90000000
  LEA.CC R6, R2, R4, 3
  LEA.HI.X R7, R2, 7, R0, 3
  store R7
