# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  CAL f
  EXIT
  .endkernel
f:
  ISETP.lt P0, R0, 4
  SSY join
  @P0 BRA join
  IADD R0, R0, 1
join:
  RET
# CHECK: [[#@LINE-1]]:3: warning: RET past an entry that no lane ever uses [-Wpending-return]
# CHECK: [[#@LINE-6]]:3: note: it was pushed here
# CHECK-NEXT:   SSY join
# CHECK-NOT: warning
