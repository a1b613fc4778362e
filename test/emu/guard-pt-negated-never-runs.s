# @!PT is never true.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "7"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 7
  @!PT MOV R1, 1
  store R1
