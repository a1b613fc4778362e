# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: immediate-out-of-range.s:[[#@LINE+1]]:14: error: 524288 does not fit: an immediate here is -524288 to 524287; put it in a register with MOV32I
IADD R1, R2, 524288
