# VMAD.PO with a scale rounds up: (lane * 77 + 40 + 1) >> 7; signs negate the product or c.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lane * 77 + 41) // 128 + (5 - lane * 2) * 256 + (lane * 3 - 7) * 65536"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 40
  VMAD.PO.shr7 R2, R0.UB0, 77, R1
  MOV R3, 5
  VMAD R3, -R0.B0, 2, R3
  MOV R4, 7
  VMAD R4, R0, 3, -R4
  ISCADD R2, R3, R2, 8
  ISCADD R2, R4, R2, 16
  store R2
