# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: param-outside-kernel.s:[[#@LINE+1]]:1: error: .param belongs inside a .kernel
.param u32 n
