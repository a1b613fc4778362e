# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: address-of-code-does-not-fit.s:[[#@LINE+1]]:7: error: the address is not one of code: a multiple of 8 below 2^27
  JMP far
# CHECK: address-of-code-does-not-fit.s:[[#@LINE+1]]:14: error: the value does not fit in 32 bits
  MOV32I R1, wide
far = 0x8000004
wide = 0x100000000
