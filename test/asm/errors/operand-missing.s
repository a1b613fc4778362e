# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: operand-missing.s:[[#@LINE+1]]:12: error: IADD needs one more operand: a register, negated or not, or an integer from -524288 to 524287, or a constant, negated or not
IADD R1, R2
