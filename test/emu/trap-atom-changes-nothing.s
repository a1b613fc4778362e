# One lane's address is outside: no lane has added, and no register has changed.
# RUN: split-file %s %t
# RUN: %leno-dbg %t/trap.s --block 32 --arg out:u32[8]:print: -x %t/commands --batch 2>&1 | FileCheck %s
# CHECK: ADDRESS_OUT_OF_RANGE at atom ({{.*}}), CTA (0,0,0), warp 0, lanes 8-31: lane 8 accesses 4 bytes at 0x10020 of global memory, just past the end of 'out'
# CHECK: [out].u32
# CHECK-NEXT: $1 = 0
# CHECK: R1[0].u32
# CHECK-NEXT: $2 = 123
#--- trap.s
  .kernel test
  .param ptr out
  S2R R0, SR_TID.X
  MOV R1, 123
  SHL R2, R0, 2
  IADD R2, R2, c[0][out]
atom:
  ATOM.add R1, [R2], R1
  EXIT
  .endkernel
#--- commands
run
print [out].u32
print R1[0].u32
