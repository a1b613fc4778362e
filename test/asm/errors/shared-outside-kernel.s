# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: shared-outside-kernel.s:[[#@LINE+1]]:1: error: .shared belongs inside a .kernel
.shared a, 4
