# Who stores and unlocks must hold the lock; nothing is written then.
# RUN: split-file %s %t
# RUN: not %leno-run %t/other.s --block 2 2>&1 | FileCheck --check-prefix=OTHER %s
# RUN: not %leno-run %t/nobody.s --arg out:u32[4]:%t.npy 2>&1 | FileCheck --check-prefix=NOBODY %s
# OTHER: ILLEGAL_OPERAND at k+0x8{{.*}} lane 1: lane 1 unlocks 4 bytes at 0x8 of shared memory without holding the lock: lane 0 of warp 0 of CTA (0,0,0) holds it
# NOBODY: ILLEGAL_OPERAND at k+0x8{{.*}} lane 0: lane 0 unlocks 4 bytes at 0x10000 of global memory without holding the lock: nobody holds it
#--- other.s
  .kernel k
  .shared words, 16
  LDSLK P0, R1, [8]
  STSUL [8], R1
  EXIT
  .endkernel
#--- nobody.s
  .kernel k
  .param ptr out
  MOV R2, c[0][out]
  STUL [R2], R1
  EXIT
  .endkernel
