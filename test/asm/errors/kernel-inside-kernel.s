# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel outer
  EXIT
# CHECK: kernel-inside-kernel.s:[[#@LINE+2]]:3: error: kernel 'outer' is still open: end it with .endkernel first
# CHECK: kernel-inside-kernel.s:[[#@LINE-3]]:3: note: it begins here
  .kernel inner
  .endkernel
