# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-cas-swap-pair-misaligned.s:[[#@LINE+1]]:31: error: R9 does not begin an aligned pair: 64 bits need a register number that is a multiple of 2
ATOM.CAS.u64 R2, [R4.64], R6, R9
