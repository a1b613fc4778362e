# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: constant-offset-is-a-predicate.s:[[#@LINE+1]]:16: error: the offset of a constant is a number or a register, not a predicate
  LDC R1, c[1][P0]
