# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .macro twice reg
  IADD \reg, \reg, \reg
  .endm
  .macro outer reg
  twice \reg
  .endm
  .kernel test
  outer R5
# CHECK: <instantiation>:1:10: warning: R5 is read, but nothing has written it [-Wunset-read]
# CHECK-NEXT: IADD R5, R5, R5
# CHECK-NEXT:          ^
# CHECK-NEXT: <instantiation>:1:1: note: while in macro instantiation
# CHECK-NEXT: twice R5
# CHECK-NEXT: ^
# CHECK-NEXT: [[#@LINE-7]]:3: note: while in macro instantiation
# CHECK-NEXT:   outer R5
  .rept 2
  IADD RZ, R5, 1
  .endr
# CHECK: <instantiation>:1:1: warning: this has no effect
# CHECK: [[#@LINE-4]]:3: note: while in macro instantiation
# CHECK: <instantiation>:2:3: warning: this has no effect
  EXIT
  .endkernel
