# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .macro twice reg
  IADD \reg, \reg, \reg
  .endm
  .macro outer reg
  twice \reg
  .endm
  .kernel test
  outer R5
# CHECK: warnings-in-macros-name-both-places.s:[[#@LINE-7]]:14: warning: R5 is read, but nothing has written it [-Wunset-read]
# CHECK-NEXT:   IADD \reg, \reg, \reg
# CHECK-NEXT:              ^
# CHECK-NEXT: note: the line as it is expanded
# CHECK-NEXT: IADD R5, R5, R5
# CHECK-NEXT:          ^
# CHECK-NEXT: warnings-in-macros-name-both-places.s:[[#@LINE-10]]:3: note: while in macro instantiation
# CHECK-NEXT:   twice \reg
# CHECK-NEXT:   ^
# CHECK-NEXT: [[#@LINE-10]]:3: note: while in macro instantiation
# CHECK-NEXT:   outer R5
  .rept 2
  IADD RZ, R5, 1
  .endr
# What is repeated is told once.
# CHECK: warnings-in-macros-name-both-places.s:[[#@LINE-3]]:3: warning: this has no effect
# CHECK: [[#@LINE-5]]:3: note: while in macro instantiation
# CHECK-NOT: warning: this has no effect
  EXIT
  .endkernel
