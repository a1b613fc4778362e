# The lanes that take a divergent branch run first (Architecture.md 5).
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "5"
  .include "Inputs/lane.inc"
  begin
  .shared word, 4
  MOV R9, RZ
  ISETP.lt P0, R0, 10
  SSY join
  @P0 BRA taken
  LDS R1, [word]
  SYNC
taken:
  MOV R1, 5
  STS [word], R1
  SYNC
join:
  store R1
