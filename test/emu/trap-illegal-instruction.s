# A word that is no instruction.
# RUN: not %leno-run %s --block 32 --arg out:u32[32]:%t.npy 2>&1 | FileCheck %s
# CHECK: error: ILLEGAL_INSTRUCTION at test+0x8 {{.*}}0x0000000000000000
  .include "Inputs/lane.inc"
  begin
  .quad 0
  store R0
