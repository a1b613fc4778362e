# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: special-register-unknown.s:[[#@LINE+1]]:9: error: unknown special register 'SR_TID.W'; did you mean 'SR_TID.X'?
S2R R1, SR_TID.W
