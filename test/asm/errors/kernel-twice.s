# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
  EXIT
  .endkernel
# CHECK: kernel-twice.s:[[#@LINE+3]]:11: error: 'k' is already defined
# CHECK: kernel-twice.s:[[#@LINE-4]]:11: note: the first time is here
# CHECK-NEXT: .kernel k
  .kernel k
  EXIT
  .endkernel
