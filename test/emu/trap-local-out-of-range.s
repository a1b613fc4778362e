# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: ADDRESS_OUT_OF_RANGE at test+0x10 {{.*}} lanes 4-31: lane 4 accesses 4 bytes at 0x10 of local memory; a lane has 16 bytes of it
  .include "Inputs/lane.inc"
  begin
  .local 16
  SHL R1, R0, 2
  LDL R2, [R1]
  store R2
