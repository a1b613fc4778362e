# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-type-not-taken.s:[[#@LINE+1]]:10: error: ATOM.inc takes .u32, not .s32
ATOM.inc.s32 R1, [R2], R3
