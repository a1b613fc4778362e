# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: param-incomplete.s:[[#@LINE+1]]:9: error: expected the parameter's type and name, such as `.param u32 n`
  .param
# CHECK: param-incomplete.s:[[#@LINE+1]]:13: error: expected the parameter's name
  .param u32
# CHECK: param-incomplete.s:[[#@LINE+1]]:14: error: expected the parameter's name
  .param u32 7
  EXIT
  .endkernel
