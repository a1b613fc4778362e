# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: pair-misaligned.s:[[#@LINE+1]]:8: error: R3 does not begin an aligned pair: 64 bits need a register number that is a multiple of 2
LDG.64 R3, [R4]
