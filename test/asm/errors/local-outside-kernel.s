# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: local-outside-kernel.s:[[#@LINE+1]]:1: error: .local belongs inside a .kernel: it counts what the kernel and all it calls need
.local 16
