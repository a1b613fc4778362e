# A pair that a binary names wrongly: LDG.64 R3.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: MISALIGNED_REGISTER at test+0x8
  .include "Inputs/lane.inc"
  begin
  .quad 0xc40a0000001fe067
  store R0
