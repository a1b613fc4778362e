# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: unknown-instruction-no-near-miss.s:[[#@LINE+1]]:1: error: unknown instruction 'FROBNICATE'
FROBNICATE R1
