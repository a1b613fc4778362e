# .global data with initial values, reached by lo() and hi() of a label; .bss data begin at zero; stores stay.
# RUN: %leno-run %s --block 4 --arg out:u32[4]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([1, 2, 3, 4]) * 100 + lane + 5"
  .include "Inputs/lane.inc"
  .global
  .balign 64
  .byte 1
  .balign 16
values: .word 100, 200, 300, 400
  .bss
scratch: .zero 256
  begin
  SHL R1, R0, 2
  MOV32I R4, lo(values)
  MOV32I R5, hi(values)
  IADD.CC R4, R4, R1
  IADD.X R5, R5, RZ
  LDG R2, [R4.64]
  MOV32I R6, lo(scratch+128)
  MOV32I R7, hi(scratch+128)
  IADD.CC R6, R6, R1
  IADD.X R7, R7, RZ
  LDG R3, [R6.64]
  IADD R3, R3, 5
  STG [R6.64], R3
  LDG R3, [R6.64]
  IADD R2, R2, R3
  IADD R2, R2, R0
  store R2
