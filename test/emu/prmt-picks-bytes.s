# PRMT picks four bytes of eight; bit 3 of a nibble replicates the sign of the byte.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0x99ff0022"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x33221180
  MOV R2, 0x77665599
  PRMT R3, R1, 0x48a2, R2
  store R3
