# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: address-offset-out-of-range.s:[[#@LINE+1]]:13: error: offset 8388608 does not fit: -8388608 to 8388607 bytes
LDG R1, [R2+8388608]
