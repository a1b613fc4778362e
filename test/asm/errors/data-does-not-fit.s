# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .const 1
# CHECK: data-does-not-fit.s:[[#@LINE+1]]:12: error: 65536 does not fit in 2 bytes
  .half 1, 65536
# CHECK: data-does-not-fit.s:[[#@LINE+1]]:9: error: 4294967296 does not fit in 4 bytes
  .word 0x100000000
