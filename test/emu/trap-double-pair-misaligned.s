# A pair that a binary names wrongly, DADD R4, R3, RZ, and the last register, which has no partner: DADD R4, R254, RZ.
# RUN: %leno-as -c %s -o %t.o
# RUN: not %leno-run %t.o --kernel test --block 32 --arg out:u64[32]:%t.npy 2>&1 | FileCheck %s
# RUN: not %leno-run %t.o --kernel last --block 32 2>&1 | FileCheck %s --check-prefix LAST
# CHECK: error: MISALIGNED_REGISTER at test+0x8
# LAST: error: MISALIGNED_REGISTER at last,
  .include "Inputs/lane.inc"
  begin
  .quad 0xa80000001fe06087
  store64 R4
  .kernel last
  .quad 0xa80000001fffc087
  EXIT
  .endkernel
