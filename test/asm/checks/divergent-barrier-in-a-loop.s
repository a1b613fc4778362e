# Lanes that broke out wait; the barrier is for the rest.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_LANEID
  PBK done
loop:
  IADD R0, R0, -1
  ISETP.lt P0, R0, RZ
  @P0 BRK
  BAR.SYNC 0
# CHECK: [[#@LINE-1]]:3: warning: a barrier for some lanes of a warp: it traps DIVERGENT, unless the machine has barrier.divergent=count [-Wdivergent-barrier]
# CHECK: [[#@LINE-3]]:3: note: the lanes part here, by a predicate that differs from lane to lane
  BRA loop
done:
  BAR.SYNC 0
  EXIT
  .endkernel
# CHECK-NOT: warning
