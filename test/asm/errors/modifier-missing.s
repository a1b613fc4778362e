# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: modifier-missing.s:[[#@LINE+1]]:6: error: ISETP needs a modifier (integer comparison): one of .f .lt .eq .le .gt .ne .ge .t
ISETP P0, R1, R2
