# ISET.cmp.bop Rd, a, b, Pp: t bop Pp, from the old predicate, signed and unsigned.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1*((lane < 16) & (lane < 8)) + 2*((lane < 16) | (lane >= 8)) + 4*((lane < 16) ^ (lane < 8)) + 8*(lane < 3)"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, -16                 # negative below lane 16
  ISETP.lt P1, R0, 8
  ISET.lt.and R2, R1, RZ, P1
  LOP.and R2, R2, 1
  ISET.lt.or R3, R1, RZ, !P1
  LOP.and R3, R3, 2
  IADD R2, R2, R3
  ISET.lt.xor R3, R1, RZ, P1
  LOP.and R3, R3, 4
  IADD R2, R2, R3
  MOV R4, -3
  ISET.lt.u32 R3, R1, -13          # lanes 0..2 as unsigned numbers: 16 and up are small
  ISET.lt.u32.and R5, R0, 3, !PT   # never
  LOP.or R3, R3, R5
  ISETP.lt P2, R0, 16
  SEL R3, R3, RZ, P2
  LOP.and R3, R3, 8
  IADD R2, R2, R3
  store R2
