# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: shared-too-large.s:[[#@LINE+1]]:14: error: shared memory of a kernel is 1 byte to 1 MiB in all
  .shared a, 0x100001
# CHECK: shared-too-large.s:[[#@LINE+1]]:17: error: the alignment must be a power of two up to 4096
  .shared b, 4, 3
  EXIT
  .endkernel
