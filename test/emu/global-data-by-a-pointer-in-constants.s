# A label of .global data in a .quad is its address, in constants and in other global data.
# RUN: %leno-run %s --block 4 --arg out:u32[4]:%t.npy
# RUN: %python %tools/expect.py %t.npy "77 + lane"
  .include "Inputs/lane.inc"
  .const 1
pointer: .quad link
  .global
link:   .quad target+4
target: .word 1, 77
  begin
  MOV R4, c[1][pointer]
  MOV R5, c[1][pointer+4]
  LDG.64 R6, [R4.64]
  LDG R2, [R6.64]
  IADD R2, R2, R0
  store R2
