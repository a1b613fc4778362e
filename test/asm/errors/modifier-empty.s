# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: modifier-empty.s:[[#@LINE+1]]:6: error: a modifier is missing after '.'
IADD. R1, R2, R3
