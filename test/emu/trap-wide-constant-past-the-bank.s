# The upper word of the pair is outside of the bank.
# RUN: not %leno-run %s --block 32 --arg out:u64[32]:%t.npy --arg u32:7 2>&1 | FileCheck %s
# CHECK: error: INVALID_CONSTANT_ADDRESS at test+0x8
# CHECK-SAME: c[0][0x4c]
  .kernel test
  .param ptr out
  .param u32 last
  S2R R0, SR_TID.X
  DADD R4, RZ, c[0][last]
  EXIT
  .endkernel
