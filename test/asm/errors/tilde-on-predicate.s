# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: tilde-on-predicate.s:[[#@LINE+1]]:17: error: '~' inverts registers; a predicate is negated with '!'
SEL R1, R2, R3, ~P0
