# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: name-of-the-other-kind.s:[[#@LINE+1]]:11: error: this is a predicate: its name is declared with .pred
  .reg a, P1
# CHECK: name-of-the-other-kind.s:[[#@LINE+1]]:12: error: this is a register: its name is declared with .reg
  .pred a, R1
