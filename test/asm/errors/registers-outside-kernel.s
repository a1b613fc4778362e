# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: registers-outside-kernel.s:[[#@LINE+1]]:3: error: .registers belongs inside a .kernel
  .registers 8
