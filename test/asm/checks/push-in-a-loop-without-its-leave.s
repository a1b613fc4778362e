# Each turn leaves an entry behind.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
loop:
  SSY join
# CHECK: [[#@LINE-1]]:3: warning: control comes here again while the entry pushed here is still on the stack [-Wstack-growth]
# CHECK: [[#@LINE-2]]:3: note: let the lanes leave by it (SYNC, BRK, CONT) first, or push before the loop
  IADD R0, R0, -1
  ISETP.gt P0, R0, 4
  @P0 BRA loop
  SYNC
join:
  EXIT
  .endkernel
# CHECK-NOT: warning
