# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: registers-out-of-range.s:[[#@LINE+1]]:14: error: a lane has 1 to 255 registers
  .registers 256
  EXIT
  .endkernel
