# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: endkernel-alone.s:[[#@LINE+1]]:1: error: .endkernel without a .kernel before it
.endkernel
