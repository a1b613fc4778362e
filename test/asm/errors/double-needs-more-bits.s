# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: double-needs-more-bits.s:[[#@LINE+1]]:14: error: 0.1 does not fit: an immediate here has 20 bits (sign, 11 of exponent, 8 of fraction), as 0.099853515625 and 0.10009765625 have; or put it in a register pair with MOV32I, 0x9999999a in the low and 0x3fb99999 in the high register
DADD R0, R2, 0.1
