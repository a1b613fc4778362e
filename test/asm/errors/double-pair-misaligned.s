# The operand at fault is the one that is pointed at, also when its register stands there twice.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: double-pair-misaligned.s:[[#@LINE+1]]:10: error: R1 does not begin an aligned pair: 64 bits need a register number that is a multiple of 2
DADD R0, R1, R2
# CHECK: double-pair-misaligned.s:[[#@LINE+1]]:14: error: R3 does not begin an aligned pair
DADD R0, R2, -R3
# CHECK: double-pair-misaligned.s:[[#@LINE+1]]:19: error: the pair of R254 would reach past R254
DFMA R0, R2, R2,  -R254
# CHECK: 3 errors
DADD RZ, RZ, RZ
