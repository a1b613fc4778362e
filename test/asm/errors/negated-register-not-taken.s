# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: negated-register-not-taken.s:[[#@LINE+1]]:14: error: expected a register, or an integer from -524288 to 524287, or a constant c[bank][offset]; found a negated register
IMUL R1, R2, -R3
