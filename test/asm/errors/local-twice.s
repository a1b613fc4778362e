# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
  .local 32
# CHECK: local-twice.s:[[#@LINE+1]]:3: error: the kernel has its .local already, of 32 bytes
  .local 16
