# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: address-width.s:[[#@LINE+1]]:13: error: an address register is R2 or R2.64
LDG R1, [R2.32]
