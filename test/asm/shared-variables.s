# Shared variables follow one another, aligned to 16 bytes or as told; their names are offsets.
# RUN: %leno-as %s -o %t
# RUN: %leno-objdump %t | FileCheck %s
# RUN: %leno-objdump --kernels %t | FileCheck --check-prefix=KERNELS %s
  .kernel k
  .shared a, 5
  .shared b, 8*4
  .shared c, 1, 4
  LDS R0, [b];
# CHECK: LDS R0, [0x10];
  STS.u8 [R1+c], R0;
# CHECK: STS.u8 [R1+0x30], R0;
  EXIT;
  .endkernel
# KERNELS: shared{{ +}}49 bytes
