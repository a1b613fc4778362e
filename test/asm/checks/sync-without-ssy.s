# SYNC where no SSY is pending.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  ISETP.lt P0, R0, 4
  @P0 BRA join
  SYNC
# CHECK: [[#@LINE-1]]:3: warning: the lanes join here, but no SSY is pending [-Wunbalanced-sync]
# CHECK-NEXT:   SYNC
# CHECK-NEXT:   ^
# CHECK-NEXT: [[#@LINE-4]]:3: note: SSY label before the lanes part says where they meet
join:
  EXIT
  .endkernel
# CHECK-NOT: warning
