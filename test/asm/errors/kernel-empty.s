# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: kernel-empty.s:[[#@LINE+1]]:3: error: kernel 'k' has no instructions
  .kernel k
  .endkernel
