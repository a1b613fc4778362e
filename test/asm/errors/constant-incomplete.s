# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: constant-incomplete.s:[[#@LINE+1]]:13: error: expected c[bank][offset]
  MOV R1, c 4
# CHECK: constant-incomplete.s:[[#@LINE+1]]:15: error: expected ']' after the bank
  MOV R1, c[1 4
# CHECK: constant-incomplete.s:[[#@LINE+1]]:16: error: expected '[' and the offset
  MOV R1, c[1] + 4
# CHECK: constant-incomplete.s:[[#@LINE+1]]:17: error: expected ']' after the offset
  MOV R1, c[1][4, R2
# CHECK: constant-incomplete.s:[[#@LINE+1]]:13: error: the bank must be known here: a number, a parameter, a shared variable or a symbol set before
  MOV R1, c[later][4]
later:
