# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: predicate-out-of-range.s:[[#@LINE+1]]:10: error: there is no P7: predicates are P0 to P6, and PT
ISETP.lt P7, R1, R2
