# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: source-after-a-sign.s:[[#@LINE+1]]:17: error: expected a register or a constant c[bank][offset] here
  FADD R1, R2, |7|
# CHECK: source-after-a-sign.s:[[#@LINE+1]]:18: error: expected a register or a constant c[bank][offset] here
  FADD R1, R2, -|x|
