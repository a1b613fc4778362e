# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: float-needs-more-bits.s:[[#@LINE+1]]:14: error: 0.1 does not fit: an immediate here has 20 bits (sign, 8 of exponent, 11 of fraction), as 0.0999755859375 and 0.100006103515625 have; or put it in a register with MOV32I
FADD R1, R2, 0.1
# CHECK: float-needs-more-bits.s:[[#@LINE+1]]:14: error: 16777217 does not fit: {{.*}}, as 16777216.0 and 16785408.0 have; or put it in a register with MOV32I, as 16777217.0{{$}}
FADD R1, R2, 16777217
# CHECK: float-needs-more-bits.s:[[#@LINE+1]]:14: error: 1e39 does not fit: {{.*}}, as 0x1.ffep127 and inf have
FADD R1, R2, 1e39
# CHECK: float-needs-more-bits.s:[[#@LINE+1]]:14: error: -1e-46 does not fit: {{.*}}, as -0.0 and -0x0.002p-126 have
FADD R1, R2, -1e-46
# CHECK: float-needs-more-bits.s:[[#@LINE+1]]:14: error: 0x3f800001 does not fit: {{.*}}, as 1.0 and 1.00048828125 have
FADD R1, R2, 0x3f800001
# CHECK: 5 errors
