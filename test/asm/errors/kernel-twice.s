# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
  EXIT
  .endkernel
# CHECK: kernel-twice.s:[[#@LINE+1]]:11: error: 'k' is already defined
  .kernel k
  EXIT
  .endkernel
