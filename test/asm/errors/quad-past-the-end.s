# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: quad-past-the-end.s:[[#@LINE+1]]:9: error: the quad of R252 would reach past R254
LDG.128 R252, [R4]
