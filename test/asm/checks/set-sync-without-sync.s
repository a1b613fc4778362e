# The set-sync bit of a branch pushes an entry that nothing joins.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  ISETP.lt P0, R0, 4
  @P0 BRA.SSY other, join
# CHECK: [[#@LINE-1]]:3: warning: no lane joins where this SSY says [-Wunbalanced-sync]
  EXIT
other:
  EXIT
join:
  EXIT
  .endkernel
# CHECK-NOT: warning
