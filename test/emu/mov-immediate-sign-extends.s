# The 20 bits of an immediate are sign-extended.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "-524288"
  .include "Inputs/lane.inc"
  begin
  MOV R1, -524288
  store R1
