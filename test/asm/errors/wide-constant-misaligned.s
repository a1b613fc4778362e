# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: wide-constant-misaligned.s:[[#@LINE+1]]:14: error: offset 12 of a 64-bit constant is not a multiple of 8
DADD R0, R2, -c[0][12]
