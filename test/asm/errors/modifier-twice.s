# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: modifier-twice.s:[[#@LINE+1]]:9: error: '.RN' is given twice, or contradicts a modifier before it
FADD.RZ.RN R1, R2, R3
