# A 64-bit atomic needs an address that is a multiple of 8.
# RUN: not %leno-run %s 2>&1 | FileCheck %s
# CHECK: MISALIGNED_ADDRESS at k{{.*}} lane 0: lane 0 accesses 8 bytes at 0x4 of shared memory, not a multiple of 8
  .kernel k
  .shared words, 16
  ATOMS.add.u64 R2, [4], R4
  EXIT
  .endkernel
