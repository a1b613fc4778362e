# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: sizes-missing.s:[[#@LINE+1]]:9: error: the size of local memory is missing here
  .local
# CHECK: sizes-missing.s:[[#@LINE+1]]:13: error: the number of registers is missing here
  .registers
  EXIT
  .endkernel
# CHECK: sizes-missing.s:[[#@LINE+1]]:9: error: the bank is missing here
  .const
