# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: operand-empty.s:[[#@LINE+1]]:10: error: an operand is missing here
IADD R1, , R3
