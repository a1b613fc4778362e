# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: quad-misaligned.s:[[#@LINE+1]]:15: error: R6 does not begin an aligned quad: 128 bits need a register number that is a multiple of 4
STG.128 [R4], R6
