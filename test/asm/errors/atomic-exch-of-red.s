# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: atomic-exch-of-red.s:[[#@LINE+1]]:5: error: RED has no modifier '.exch'; it takes .{{.*}}xor{{.*}}
RED.exch [R2], R3
