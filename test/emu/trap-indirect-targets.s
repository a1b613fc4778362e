# An indirect branch to no instruction traps, names the lanes and changes nothing.
# RUN: not %leno-run %s --kernel odd --block 32 2>&1 | FileCheck --check-prefix=ODD %s
# ODD: error: MISALIGNED_PC at odd+0x28
# ODD: lane 3, 0x34, is not a multiple of 8
# RUN: not %leno-run %s --kernel far --block 32 2>&1 | FileCheck --check-prefix=FAR %s
# FAR: error: PC_OUT_OF_RANGE at far+0x10
# FAR: the target of lane 0, 0x100000, is outside the program of
# RUN: not %leno-run %s --kernel below --block 32 2>&1 | FileCheck --check-prefix=BELOW %s
# BELOW: error: PC_OUT_OF_RANGE at below+0x8
# RUN: not %leno-run %s --kernel uniform --block 32 2>&1 | FileCheck --check-prefix=UNIFORM %s
# UNIFORM: error: DIVERGENT at uniform+0x10
  .kernel odd
  S2R R0, SR_LANEID
  ISETP.eq P0, R0, 3
  SEL R1, RZ, 4, !P0
  NOP
  NOP
  BRX R1, .+8
  EXIT
  .endkernel
  .kernel far
  MOV32I R1, 0x100000
  MOV R2, RZ
  JMX R1
  EXIT
  .endkernel
  .kernel below
  MOV32I R1, 0xffff0000
  BRX R1, .+8
  EXIT
  .endkernel
  .kernel uniform
  S2R R0, SR_LANEID
  SHL R1, R0, 3
  BRX.U R1, .+8
  .rept 32
  NOP
  .endr
  EXIT
  .endkernel
