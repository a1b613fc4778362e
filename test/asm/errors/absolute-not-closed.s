# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: absolute-not-closed.s:[[#@LINE+1]]:13: error: expected '|' to close the absolute value
FADD R1, |R2, R3
