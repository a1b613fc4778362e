# Warps that meet at a barrier have to agree, and to arrive once.
# RUN: not %leno-run %s --kernel counts --block 64 2>&1 | FileCheck --check-prefix=COUNTS %s
# COUNTS: error: ILLEGAL_OPERAND at counts+0x20
# COUNTS-SAME: warp 1
# COUNTS-SAME: barrier 3: others have arrived with no count, not count 64
# RUN: not %leno-run %s --kernel kinds --block 64 2>&1 | FileCheck --check-prefix=KINDS %s
# KINDS: error: ILLEGAL_OPERAND at kinds+0x20
# KINDS-SAME: barrier 3: BAR.RED.AND does not meet the BAR.SYNC that others have arrived with
# RUN: not %leno-run %s --kernel twice --block 64 2>&1 | FileCheck --check-prefix=TWICE %s
# TWICE: error: ILLEGAL_OPERAND at twice+0x8
# TWICE-SAME: barrier 0: the warp has arrived there before, and it is not complete yet
  .macro kernel name, first, second
  .kernel \name
  S2R R0, SR_WARPID
  ISETP.eq P0, R0, 1
  @!P0 \first
  @!P0 EXIT
  \second
  EXIT
  .endkernel
  .endm
  kernel counts, "BAR.SYNC 3", "BAR.SYNC 3, 64"
  kernel kinds, "BAR.ARV 3", "BAR.RED.AND P1, 3, P2"
  .kernel twice
  BAR.ARV 0
  BAR.ARV 0
  EXIT
  .endkernel
