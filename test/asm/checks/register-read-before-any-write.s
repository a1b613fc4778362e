# The caret stands on the operand.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  .param ptr out
  IADD R1, R1, R2
# CHECK: [[#@LINE-1]]:12: warning: R1 is read, but nothing has written it [-Wunset-read]
# CHECK-NEXT:   IADD R1, R1, R2
# CHECK-NEXT:            ^
# CHECK-NEXT: [[#@LINE-4]]:12: note: it is 0 when the kernel starts; RZ says so plainly
# CHECK: [[#@LINE-5]]:16: warning: R2 is read, but nothing has written it [-Wunset-read]
  IADD R1, R1, R2                 # each register is told once
  MOV R4, c[0][out]
  STG [R4.64], R1
# CHECK: [[#@LINE-1]]:8: warning: R5 (with R4) is read, but nothing has written it [-Wunset-read]
  EXIT
  .endkernel
# CHECK-NOT: warning
