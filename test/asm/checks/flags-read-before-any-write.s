# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  IADD.X R0, RZ, RZ
# CHECK: [[#@LINE-1]]:3: warning: CC is read, but nothing has written it [-Wunset-read]
# CHECK: [[#@LINE-2]]:3: note: an instruction with .CC writes the flags; they start at zero
  IADD.CC R0, R0, 1
  IADD.X R0, R0, RZ
  EXIT
  .endkernel
# CHECK-NOT: warning
