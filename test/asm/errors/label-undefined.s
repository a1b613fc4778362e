# An undefined label is told where it is used; an object may leave it to another one.
# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s
# RUN: not %leno-run %s 2>&1 | FileCheck %s
# RUN: %leno-as -c %s -o %t.o
  .kernel k
# CHECK: label-undefined.s:[[#@LINE+1]]:7: error: label 'nowhere' is not defined; did you mean 'now_here'?
  BRA nowhere
# CHECK: label-undefined.s:[[#@LINE+1]]:14: error: label 'elsewhere' is not defined
  MOV32I R1, elsewhere+8
now_here:
  EXIT
  .endkernel
