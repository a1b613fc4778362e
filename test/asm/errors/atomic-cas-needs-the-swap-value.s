# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-cas-needs-the-swap-value.s:[[#@LINE+1]]:22: error: ATOM.CAS needs one more operand: a register
ATOM.CAS R1, [R2], R3
