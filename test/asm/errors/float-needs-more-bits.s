# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: float-needs-more-bits.s:[[#@LINE+1]]:14: error: this value needs more than the 20 bits an immediate has here (sign, exponent, 11 bits of fraction); put it in a register with MOV32I
FADD R1, R2, 0.1
