# JMP and JCAL are followed as BRA and CAL are.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
# RUN: %leno-objdump --kernels %t.o | FileCheck --check-prefix=DEPTH %s
# DEPTH: stack at most 3 entries
  .kernel test
  S2R R0, SR_TID.X
  ISETP.lt P0, R0, 4
  JCAL f
  @P0 JMP over
  JMP end
  MOV R1, 1
# CHECK: [[#@LINE-1]]:3: warning: this instruction is never reached [-Wunreachable]
over:
  IADD R3, R2, R4
# CHECK: [[#@LINE-1]]:16: warning: R4 is read, but nothing has written it [-Wunset-read]
end:
  EXIT
  .endkernel
f:
  MOV R2, R0
  SSY met
  @P0 JMP other
  SYNC
other:
  SYNC
met:
  @P0 SYNC
# CHECK: [[#@LINE-1]]:3: warning: the lanes join here, but no SSY is pending [-Wunbalanced-sync]
  RET
# CHECK-NOT: warning
