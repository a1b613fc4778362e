# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
  .param u32 n
# CHECK: name-of-a-parameter.s:[[#@LINE+1]]:8: error: parameter 'n' is already declared
  .reg n, R1
  .reg m, R1
# CHECK: name-of-a-parameter.s:[[#@LINE+2]]:14: error: 'm' is the name of a register
# CHECK: name-of-a-parameter.s:[[#@LINE-2]]:8: note: it is declared here
  .param u32 m
  EXIT
  .endkernel
