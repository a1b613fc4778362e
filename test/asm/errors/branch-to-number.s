# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: branch-to-number.s:[[#@LINE+1]]:5: error: expected a label, or an offset from here such as .+16
BRA 16
