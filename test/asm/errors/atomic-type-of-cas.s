# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-type-of-cas.s:[[#@LINE+1]]:11: error: ATOMS.CAS takes .u32 .u64, not .f32
ATOMS.CAS.f32 R1, [R2], R3, R4
