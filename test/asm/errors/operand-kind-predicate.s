# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: operand-kind-predicate.s:[[#@LINE+1]]:10: error: expected a predicate; found a register
ISETP.lt R1, R2, R3
