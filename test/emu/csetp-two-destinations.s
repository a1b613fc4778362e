# CSETP.test.bop Pu, Pv, Pp: Pu = t bop Pp and Pv = !t bop Pp; CSET gives the same as a word.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1*((lane < 9) & (lane >= 4)) + 2*((lane >= 9) & (lane >= 4)) + 4*((lane < 9) | (lane < 4)) + (0x3f800000 << 3 & 0xffffffff)*((lane < 9) ^ (lane < 4))"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 9
  IADD.CC RZ, R0, -R1
  ISETP.lt P0, R0, 4
  CSETP.lt P1, P2, !P0
  CSET.lt.or R2, P0
  CSET.lt.xor.BF R3, P0
  LOP.and R2, R2, 4
  SHL R3, R3, 3
  IADD R2, R2, R3
  SEL R4, R0, RZ, P1
  MOV R4, RZ
  @P1 LOP.or R4, R4, 1
  @P2 LOP.or R4, R4, 2
  IADD R2, R2, R4
  store R2
