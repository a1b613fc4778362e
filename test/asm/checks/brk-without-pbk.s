# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
loop:
  IADD R0, R0, -1
  ISETP.lt P0, R0, 4
  @P0 BRK
# CHECK: [[#@LINE-1]]:3: warning: BRK, but no PBK is pending here [-Wbreak-without-pbk]
# CHECK: [[#@LINE-2]]:3: note: PBK label before the loop says where the lanes that break go on together
  BRA loop
  .endkernel
# CHECK-NOT: warning
