# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: float-not-a-number.s:[[#@LINE+1]]:16: error: '1.5e+' is not a number: its exponent is missing
  FADD R1, R2, 1.5e+
# CHECK: float-not-a-number.s:[[#@LINE+1]]:16: error: invalid hexadecimal floating-point constant: expected exponent part 'p'
  FADD R1, R2, 0x1.8
