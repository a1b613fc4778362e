# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: local-too-large.s:[[#@LINE+1]]:10: error: local memory of a lane is 16 bytes to 512 KiB, a multiple of 16
  .local 0x80010
