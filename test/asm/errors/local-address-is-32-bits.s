# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: local-address-is-32-bits.s:[[#@LINE+1]]:9: error: shared and local addresses are 32 bits: write the register without .64
LDL R1, [R2.64]
