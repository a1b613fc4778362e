# Each lane has its own bytes behind the same local addresses, and may use addresses of its own.
# RUN: %leno-run %s --block 64 --arg out:u32[64]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane * 1000 + (63 - lane)"
  .include "Inputs/lane.inc"
  begin
  .local 272
  IMUL R1, R0, 1000
  STL [0x10], R1
  IADD R2, RZ, -R0
  IADD R2, R2, 63
  SHL R3, R0, 2
  STL [R3+16], R2         # lane 0 of each CTA overwrites its word at 16
  LDL R4, [R3+16]
  ISETP.ne P0, R0, RZ
  @P0 LDL R5, [0x10]
  IADD R4, R4, R5
  store R4
