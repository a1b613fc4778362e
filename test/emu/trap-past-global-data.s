# Global data have exact bounds.
# RUN: not %leno-run %s 2>&1 | FileCheck %s
# CHECK: ADDRESS_OUT_OF_RANGE
# CHECK-SAME: global data
  .global
x: .word 1
  .kernel k
  MOV32I R4, lo(x+4)
  MOV32I R5, hi(x+4)
  LDG R2, [R4.64]
  EXIT
  .endkernel
