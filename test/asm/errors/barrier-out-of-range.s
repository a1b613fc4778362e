# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: barrier-out-of-range.s:[[#@LINE+1]]:10: error: expected a register, or a barrier number from 0 to 15; found an integer
BAR.SYNC 16
