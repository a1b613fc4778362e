# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: operand-kind.s:[[#@LINE+1]]:10: error: expected a register, negated or not; found a predicate
IADD R1, P2, R3
