# BRX with a negative register goes back; lanes whose guard is false stay behind it.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane % 5 + 1"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  MOV R2, 5
turn:                              # R0 % 5, by subtracting: each lane its own number of turns
  ISETP.ge P0, R0, 5
  @P0 IADD R0, R0, -5
  MOV R3, -32
  @P0 BRX R3, after                # after - 32 bytes
after:
  IADD R1, R0, 1
  S2R R0, SR_TID.X
  store R1
