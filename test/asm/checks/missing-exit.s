# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel first
  S2R R0, SR_TID.X
  ISETP.lt P0, R0, 4
  @P0 EXIT
# CHECK: [[#@LINE-1]]:3: warning: control runs past the end of kernel 'first' [-Wmissing-exit]
# CHECK: [[#@LINE-2]]:3: note: end it with EXIT or a branch
  .endkernel
  .kernel second
  CAL f
  CAL never_returns         # so nothing runs past this: silent
  .endkernel
never_returns:
  EXIT
f:
  MOV R0, 1
# CHECK: [[#@LINE-1]]:3: warning: control runs past the end of the code [-Wmissing-exit]
# CHECK: [[#@LINE-2]]:3: note: end it with RET, EXIT or a branch
# CHECK-NOT: warning
