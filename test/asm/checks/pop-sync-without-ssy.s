# .S where no SSY is pending on one of two ways.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  ISETP.lt P0, R0, 4
  @P0 BRA.U quick
  SSY join
quick:
  @!P0 IADD.S R1, R0, 1
# CHECK: [[#@LINE-1]]:3: warning: the lanes join here, but no SSY is pending [-Wunbalanced-sync]
  SYNC
# CHECK: [[#@LINE-1]]:3: warning: the lanes join here, but no SSY is pending [-Wunbalanced-sync]
join:
  EXIT
  .endkernel
# CHECK-NOT: warning
