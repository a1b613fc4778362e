# PRET begins a function too.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  PBK done
  PRET done
  BRA f
done:
  EXIT
  .endkernel
f:
  BRK
# CHECK: [[#@LINE-1]]:3: warning: BRK, but no PBK is pending here in this function, only before the PRET that began it [-Wbreak-without-pbk]
# CHECK-NOT: warning
