# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .reg acc, R4
  .kernel k
  .reg total, R5
# CHECK: name-mistyped.s:[[#@LINE+1]]:8: error: expected a register; found a label or expression; did you mean 'acc'?
  IADD aac, acc, 1
# CHECK: name-mistyped.s:[[#@LINE+1]]:13: error: {{.*}}; did you mean 'total'?
  IADD acc, totl, 2
  EXIT
  .endkernel
