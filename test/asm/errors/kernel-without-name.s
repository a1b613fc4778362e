# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: kernel-without-name.s:[[#@LINE+1]]:8: error: expected the kernel's name
.kernel
