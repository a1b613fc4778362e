# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: lock-size-not-taken.s:[[#@LINE+1]]:6: error: LDLK takes .32 .64, not .u8
LDLK.u8 P0, R1, [R2]
