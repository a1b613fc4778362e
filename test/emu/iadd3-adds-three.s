# IADD3: three sources, each with its sign, in every place that an immediate or a constant may take; sums wrap.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane - 7 - 100 * lane) + (100 * lane - lane + 32) - (0x80000000 + lane + 0x80000000) + (32 - 100 * lane - 32)"
  .include "Inputs/lane.inc"
  begin
  IMUL R1, R0, 100
  MOV32I R5, 0x80000000
  IADD3 R2, R0, -7, -R1
  IADD3 R3, R1, c[0][0], -R0      # NTID.X is 32
  IADD3 R4, -R5, -R0, -R5
  IADD3 R6, -R1, RZ, c[0][0]
  IADD3 R6, R6, -c[0][0], RZ
  IADD3 R2, R2, R3, R4
  IADD R2, R2, R6
  store R2
