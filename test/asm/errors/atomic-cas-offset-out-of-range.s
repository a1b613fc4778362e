# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-cas-offset-out-of-range.s:[[#@LINE+1]]:14: error: offset -2049 does not fit: an atomic's is -2048 to 2047 bytes
ATOM.CAS R1, [R2-2049], R3, R4
