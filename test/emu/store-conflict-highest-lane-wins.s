# Several lanes store to one address: the highest executing lane wins (CHOICE).
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "19"
  .include "Inputs/lane.inc"
  begin
  .shared word, 4
  ISETP.lt P0, R0, 20
  @P0 STS [word], R0
  LDS R1, [word]
  store R1
