# What a barrier does not take: lanes that disagree, numbers past 15, counts that are not whole warps.
# RUN: not %leno-run %s --kernel numbers --block 32 2>&1 | FileCheck --check-prefix=NUMBERS %s
# NUMBERS: error: ILLEGAL_OPERAND at numbers+0x8
# NUMBERS-SAME: lanes 0xfffffffe
# NUMBERS-SAME: name another barrier than the others, 0
# RUN: not %leno-run %s --kernel counts --block 32 2>&1 | FileCheck --check-prefix=COUNTS %s
# COUNTS: error: ILLEGAL_OPERAND at counts+0x18
# COUNTS-SAME: lanes 0x80000000
# COUNTS-SAME: give another count than the others, 32
# RUN: not %leno-run %s --kernel high --block 32 2>&1 | FileCheck --check-prefix=HIGH %s
# HIGH: error: ILLEGAL_OPERAND at high+0x8
# HIGH-SAME: there is no barrier 16: they are 0 to 15
# RUN: not %leno-run %s --kernel odd --block 32 2>&1 | FileCheck --check-prefix=ODD %s
# ODD: error: ILLEGAL_OPERAND at odd+0x8
# ODD-SAME: a count of 33 threads is no positive multiple of 32
# RUN: not %leno-run %s --kernel zero --block 32 2>&1 | FileCheck --check-prefix=ZERO %s
# ZERO: error: ILLEGAL_OPERAND at zero 
# ZERO-SAME: a count of 0 threads is no positive multiple of 32
  .kernel numbers
  S2R R0, SR_LANEID
  BAR.SYNC R0
  EXIT
  .endkernel
  .kernel counts
  S2R R0, SR_LANEID
  ISETP.eq P0, R0, 31
  SEL R1, R0, 32, P0
  BAR.ARV 1, R1
  EXIT
  .endkernel
  .kernel high
  MOV R0, 16
  BAR.RED.POPC R1, R0, PT
  EXIT
  .endkernel
  .kernel odd
  MOV R0, 33
  BAR.SYNC 0, R0
  EXIT
  .endkernel
  .kernel zero
  BAR.SYNC 0, RZ
  EXIT
  .endkernel
