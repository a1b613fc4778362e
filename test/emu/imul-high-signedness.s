# The high word depends on the sign of each factor.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lambda s, u: ((s*-3)>>32)*1000 + ((u*0xfffffffd)>>32)*7 + ((u*-3)>>32)*31 + ((s*0xfffffffd)>>32)*77)(*(lambda s: (s.astype(object), (s & 0xffffffff).astype(object)))(lane-16)) % 2**32"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, -16
  MOV R2, -3
  IMUL.HI R3, R1, R2
  IMUL.HI.u32 R4, R1, R2
  IMUL.HI.us32 R5, R1, R2
  IMUL.HI.su32 R6, R1, R2
  IMUL R3, R3, 1000
  IMAD R4, R4, 7, R3
  IMAD R5, R5, 31, R4
  IMAD R6, R6, 77, R5
  store R6
