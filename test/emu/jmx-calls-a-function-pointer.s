# JMX goes to the address in a register; with PRET it calls through a pointer, and divergent pointers reconverge.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 3 == 0, lane + 1, lane * 2) + 0xffffffff * 0 + 1000"
  .include "Inputs/lane.inc"
  begin
  IMUL R1, R0, 0x5556              # lane / 3, in the upper half
  SHR R1, R1, 16
  IMUL R1, R1, 3
  ISETP.eq P0, R1, R0
  MOV32I R2, increment
  MOV32I R3, double - increment
  SEL R3, RZ, R3, P0
  IADD R4, R2, R3
  PRET back
  JMX R4
back:
  VOTE.all P1, PT
  @P1 IADD R0, R0, 500
  MOV R5, R0
  S2R R0, SR_TID.X
  PRET again
  MOV R6, RZ
  JMX R6, five
again:
  store R5
increment:
  IADD R0, R0, 1
  RET
double:
  IADD R0, R0, R0
  RET
five:
  IADD R5, R5, 500
  RET
