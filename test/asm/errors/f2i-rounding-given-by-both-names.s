# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: f2i-rounding-given-by-both-names.s:[[#@LINE+1]]:10: error: '.RM' is given twice, or contradicts a modifier before it
F2I.CEIL.RM R1, R2
# CHECK: f2i-rounding-given-by-both-names.s:[[#@LINE+1]]:5: error: F2I has no modifier '.FLOR'; did you mean '.FLOOR'?
F2I.FLOR R1, R2
