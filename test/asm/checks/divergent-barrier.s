# A barrier between the place where lanes part by their number and the place where they meet.
# RUN: %leno-as -c %s -o %t.o 2>&1 | FileCheck %s
  .kernel test
  S2R R0, SR_TID.X
  IADD R1, R0, c[0][0]
  ISETP.lt P0, R1, 16
  SSY join
  @P0 BRA other
  BAR.SYNC 0
# CHECK: [[#@LINE-1]]:3: warning: a barrier for some lanes of a warp: it traps DIVERGENT, unless the machine has barrier.divergent=count [-Wdivergent-barrier]
# CHECK: [[#@LINE-3]]:3: note: the lanes part here, by a predicate that differs from lane to lane
  SYNC
other:
  BAR.SYNC 0
# CHECK: [[#@LINE-1]]:3: warning: a barrier for some lanes of a warp: it traps DIVERGENT, unless the machine has barrier.divergent=count [-Wdivergent-barrier]
  SYNC
join:
  BAR.SYNC 0
  @P0 BAR.SYNC 0
# CHECK: [[#@LINE-1]]:3: warning: a barrier for some lanes of a warp: it traps DIVERGENT, unless the machine has barrier.divergent=count [-Wdivergent-barrier]
# CHECK: [[#@LINE-2]]:3: note: its guard differs from lane to lane
  ISCADD R2, R0, 5, 3
  SHL R3, R2, 2
  ISETP.eq P1, R3, 20
  @P1 BAR.SYNC 1
# CHECK: [[#@LINE-1]]:3: warning: a barrier for some lanes of a warp: it traps DIVERGENT, unless the machine has barrier.divergent=count [-Wdivergent-barrier]
  EXIT
  .endkernel
# CHECK-NOT: warning
