# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-pair-misaligned.s:[[#@LINE+1]]:27: error: R7 does not begin an aligned pair: 64 bits need a register number that is a multiple of 2
ATOM.add.u64 R2, [R4.64], R7
