# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: LOCK_HELD_AT_EXIT at test+0x38{{.*}} lanes 1-2: lane 1 holds the lock of 0x10004 of global memory, lane 2 holds the lock of 0x10008 of global memory
  .include "Inputs/lane.inc"
  begin
  SHL R2, R0, 2
  IADD R2, R2, c[0][out]
  LDLK P0, R1, [R2]
  ISETP.eq P1, R0, RZ
  @P1 STUL [R2], R1
  ISETP.gt P1, R0, 2
  @!P1 EXIT
  @P0 STUL [R2], R1
  EXIT
  .endkernel
