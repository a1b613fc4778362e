# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
  .param u32 n
# CHECK: param-twice.s:[[#@LINE+1]]:14: error: parameter 'n' is already declared
  .param u32 n
# CHECK: param-twice.s:[[#@LINE+1]]:11: error: parameter 'n' is already declared
  .shared n, 4
  EXIT
  .endkernel
