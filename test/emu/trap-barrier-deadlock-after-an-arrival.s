# A deadlock tells who waits where, who went on and who has exited.
# RUN: not %leno-run %s --block 96 2>&1 | FileCheck %s
# CHECK: error: BARRIER_DEADLOCK at
# CHECK-SAME: warp 2 wait at barrier 4 for 3 warps in all; warp 1 arrived at barrier 4 and went on; warps 0, 1 have exited: nobody is left to arrive
  .kernel k
  S2R R0, SR_WARPID
  ISETP.eq P0, R0, 0
  @P0 EXIT
  ISETP.eq P0, R0, 1
  @P0 BAR.ARV 4, 96
  @P0 EXIT
  BAR.SYNC 4, 96
  EXIT
  .endkernel
