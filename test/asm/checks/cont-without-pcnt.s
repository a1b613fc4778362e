# A turn after the first has no PCNT: the entry is gone with the turn that pushed it.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  PBK done
  PCNT turn
turn:
  IADD R0, R0, -1
  ISETP.lt P0, R0, 4
  @P0 BRK
  CONT
# CHECK: [[#@LINE-1]]:3: warning: CONT, but no PCNT is pending here [-Wcontinue-without-pcnt]
# CHECK: [[#@LINE-2]]:3: note: PCNT label at the start of each turn says where the lanes that continue go on together
done:
  EXIT
  .endkernel
# CHECK-NOT: warning
