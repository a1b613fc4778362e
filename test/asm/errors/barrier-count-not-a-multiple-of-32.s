# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: barrier-count-not-a-multiple-of-32.s:[[#@LINE+1]]:12: error: expected a thread count from 32 to 4064, a multiple of 32, or a register; found an integer
BAR.ARV 0, 33
