# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: exclaim-on-register.s:[[#@LINE+1]]:13: error: '!' negates predicates; a register is inverted with '~'
LOP.and R1, !R2, R3
