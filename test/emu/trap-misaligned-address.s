# An address that is no multiple of the access.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: MISALIGNED_ADDRESS at test+0x18 {{.*}}lane
  .include "Inputs/lane.inc"
  begin
  IADD.CC R2, R0, c[0][out]
  IADD.X R3, RZ, c[0][out+4]
  LDG R4, [R2.64]
  store R0
