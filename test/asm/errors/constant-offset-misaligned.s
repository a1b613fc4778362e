# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: constant-offset-misaligned.s:[[#@LINE+1]]:9: error: offset 6 of the constant is not a multiple of 4
MOV R1, c[0][6]
