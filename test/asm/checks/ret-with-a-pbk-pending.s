# All lanes return past the entry. (A guarded RET out of a loop is fine: return-out-of-a-loop.s.)
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  CAL f
  EXIT
  .endkernel
f:
  PBK done
turn:
  IADD R0, R0, -1
  ISETP.gt P0, R0, 4
  @P0 BRA turn
  RET
# CHECK: [[#@LINE-1]]:3: warning: RET past an entry that no lane ever uses [-Wpending-return]
# CHECK: [[#@LINE-7]]:3: note: it was pushed here
done:
  RET
# CHECK-NOT: warning
