# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  .param ptr out
  S2R R0, SR_TID.X
  IADD RZ, R0, 1
# CHECK: [[#@LINE-1]]:3: warning: this has no effect: all it writes is swallowed by RZ or PT [-Wuseless-write]
# CHECK: [[#@LINE-2]]:3: note: name a register or predicate to write, or leave it out
  ISETP.lt PT, R0, 4
# CHECK: [[#@LINE-1]]:3: warning: this has no effect: all it writes is swallowed by RZ or PT [-Wuseless-write]
  ISETP.lt PT, P1, R0, 4          # the complement is wanted: silent
  IADD.CC RZ, R0, -4              # the flags are: silent
  SSY join
  IADD.S RZ, R0, 1                # joins: silent
join:
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  LDG RZ, [R2.64]                 # a load may be wanted for its trap: silent
  EXIT
  .endkernel
# CHECK-NOT: warning
