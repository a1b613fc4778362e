# A generic address is judged in the space it leads to.
# RUN: split-file %s %t
# RUN: not %leno-run %t/shared.s 2>&1 | FileCheck --check-prefix=SHARED %s
# RUN: not %leno-run %t/local.s 2>&1 | FileCheck --check-prefix=LOCAL %s
# RUN: not %leno-run %t/global.s 2>&1 | FileCheck --check-prefix=GLOBAL %s
# RUN: not %leno-run %t/misaligned.s 2>&1 | FileCheck --check-prefix=MISALIGNED %s
# RUN: not %leno-run %t/direct.s 2>&1 | FileCheck --check-prefix=DIRECT %s
# SHARED: ADDRESS_OUT_OF_RANGE at k+0x10{{.*}} lane 0: lane 0 accesses 8 bytes at 0xff00000040, 0x40 of shared memory; the CTA has 64 bytes of it
# LOCAL: ADDRESS_OUT_OF_RANGE at k+0x8{{.*}} lane 0: lane 0 accesses 1 byte at 0xfe00000000, 0x0 of local memory; a lane has 0 bytes of it
# GLOBAL: ADDRESS_OUT_OF_RANGE at k{{.*}} lane 0: lane 0 accesses 4 bytes at 0x100 of global memory, nothing is allocated
# MISALIGNED: MISALIGNED_ADDRESS at k+0x8{{.*}} lane 0: lane 0 accesses 2 bytes at 0xff00000001 of shared memory, not a multiple of 2
# DIRECT: ADDRESS_OUT_OF_RANGE at k+0x8{{.*}} lane 0: lane 0 accesses 4 bytes at 0xff00000000 of global memory, nothing is allocated; it is in the window of shared memory, which LD and ST reach
#--- shared.s
  .kernel k
  .shared words, 64
  MOV R3, 255
  MOV R2, 64
  LD.64 R4, [R2.64]
  EXIT
  .endkernel
#--- local.s
  .kernel k
  MOV R3, 254
  LD.u8 R4, [R2.64]
  EXIT
  .endkernel
#--- global.s
  .kernel k
  ST [0x100], R4
  EXIT
  .endkernel
#--- misaligned.s
  .kernel k
  MOV R3, 255
  ST.u16 [R2.64+1], R4
  EXIT
  .endkernel
#--- direct.s
  .kernel k
  MOV R3, 255
  LDG R4, [R2.64]
  EXIT
  .endkernel
