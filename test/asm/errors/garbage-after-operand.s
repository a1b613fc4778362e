# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: garbage-after-operand.s:[[#@LINE+1]]:12: error: expected ',' or ';' here: an operand ends at this point
MOV R1, R2 R3
