# .const data with initial values: words, floats, bytes and strings, read by label, with an offset and at a register's.
# RUN: %leno-run %s --block 8 --arg out:u32[8]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([10, 20, 30, 40, 10, 20, 30, 40]) + 0x40500000 + ord('e') + 7"
  .include "Inputs/lane.inc"
  .const 3
table:  .word 10, 20, 30, 40
pi:     .float 3.25
word:   .asciz "hello; # no comment"
        .balign 4
last:   .half 7
        .zero 2
  begin
  LOP.and R1, R0, 3
  SHL R1, R1, 2
  LDC R2, c[3][R1+table]
  MOV R3, c[3][pi]
  IADD R2, R2, R3
  LDC.u8 R3, c[3][word+1]
  IADD R2, R2, R3
  IADD R2, R2, c[3][last]
  store R2
