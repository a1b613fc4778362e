# A guard before a macro's name is that of each of its instructions, also in macros that it calls, and of none after it.
# RUN: %leno-run %s --block 8 --arg out:u32[8]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 3, 111, 0) + np.where(lane >= 5, 1000, 0) + 10000"
  .include "Inputs/lane.inc"
  .macro inner reg
  IADD \reg, \reg, 10
  .endm
  .macro outer reg
  IADD \reg, \reg, 1
  inner \reg
  .rept 2
  IADD \reg, \reg, 50
  .endr
  .endm
  .macro early reg
  IADD \reg, \reg, 1000
  .exitm
  IADD \reg, \reg, 7
  .endm
  begin
  ISETP.lt P0, R0, 3
  ISETP.lt P1, R0, 5
  MOV R1, RZ
  @P0 outer R1
  inner R1
  @!P1 early R1
  early R1
  IADD R1, R1, 8990
  @!PT inner R1
  store R1
