# A function's BRK cannot end a loop of its caller.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  PBK done
  CAL f
done:
  EXIT
  .endkernel
f:
  BRK
# CHECK: [[#@LINE-1]]:3: warning: BRK, but no PBK is pending here [-Wbreak-without-pbk]
# CHECK-NOT: warning
