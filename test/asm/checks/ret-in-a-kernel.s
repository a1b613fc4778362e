# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  ISETP.lt P0, R0, 4
  @P0 RET
# CHECK: [[#@LINE-1]]:3: warning: RET in a kernel: nothing called it, and it traps RET_EMPTY_STACK [-Wreturn-without-call]
# CHECK: [[#@LINE-2]]:3: note: EXIT ends the lanes of a kernel
  EXIT
  .endkernel
# CHECK-NOT: warning
