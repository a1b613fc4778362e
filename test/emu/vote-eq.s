# VOTE.eq: the predicate is the same in all active lanes.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "6"
  .include "Inputs/lane.inc"
  begin
  ISETP.ge P0, R0, RZ
  VOTE.eq P1, P0
  ISETP.ge P0, R0, 1
  VOTE.eq P2, P0
  VOTE.eq P3, !PT
  MOV R1, 1
  SEL R2, R1, RZ, P1
  SEL R3, R1, RZ, P2
  SEL R4, R1, RZ, P3
  IMAD R2, R2, 4, R3
  IMAD R2, R4, 2, R2
  store R2
