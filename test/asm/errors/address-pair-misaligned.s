# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: address-pair-misaligned.s:[[#@LINE+1]]:9: error: R5 does not begin an aligned pair: 64 bits need a register number that is a multiple of 2
LDG R1, [R5.64]
