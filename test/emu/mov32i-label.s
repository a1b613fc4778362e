# A label's value is its byte address.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "16"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, here
here:
  store R1
