# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: operand-too-many.s:[[#@LINE+1]]:13: error: MOV takes 2 operands: this one is too many
MOV R1, R2, R3
