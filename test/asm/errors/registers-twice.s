# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
  .registers 8
# CHECK: registers-twice.s:[[#@LINE+2]]:3: error: the kernel's registers are given twice
# CHECK: registers-twice.s:[[#@LINE-2]]:14: note: the first time is here
  .registers 9
  EXIT
  .endkernel
