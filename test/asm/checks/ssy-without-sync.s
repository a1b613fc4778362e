# An SSY whose lanes never join.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  ISETP.lt P0, R0, 4
  SSY join
# CHECK: [[#@LINE-1]]:3: warning: no lane joins where this SSY says [-Wunbalanced-sync]
# CHECK: [[#@LINE-2]]:3: note: end each side of the branch with SYNC, or with .S on its last instruction
  @P0 BRA join
  IADD R1, R0, 1
join:
  EXIT
  .endkernel
# CHECK-NOT: warning
