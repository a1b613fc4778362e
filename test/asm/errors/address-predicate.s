# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: address-predicate.s:[[#@LINE+1]]:10: error: an address needs a register, not a predicate
LDG R1, [P2]
