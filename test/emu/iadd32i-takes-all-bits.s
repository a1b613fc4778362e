# IADD32I adds 32 bits and carries; a negated source is subtracted from.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(0x12345678 - lane) + (lane >= 0x10)*1000"
  .include "Inputs/lane.inc"
  begin
  IADD32I R2, -R0, 0x12345678
  IADD32I.CC RZ, R0, 0xfffffff0
  IADD32I.X R3, RZ, 0
  IMUL R3, R3, 1000
  IADD R2, R2, R3
  store R2
