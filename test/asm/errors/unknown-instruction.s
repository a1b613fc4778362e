# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: unknown-instruction.s:[[#@LINE+1]]:1: error: unknown instruction 'IADDD'; did you mean 'IADD'?
IADDD R1, R2, R3
