# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: kernel-not-ended.s:[[#@LINE+1]]:3: error: kernel 'k' has no .endkernel
  .kernel k
  EXIT
