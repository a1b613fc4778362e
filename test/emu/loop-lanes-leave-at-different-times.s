# Lanes that break wait until the loop is empty, and leave it together.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane + 100"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  PBK done
loop:
  ISETP.ge P0, R1, R0
  @P0 BRK
  IADD R1, R1, 1
  BRA loop
done:
  VOTE.any R2, P1, PT
  ISETP.eq P2, R2, -1
  @P2 IADD R1, R1, 100
  store R1
