# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-type-before-operation.s:[[#@LINE+1]]:5: error: RED.or takes .u32 .u64, not .f32
RED.f32.or [R2], R3
