# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: register-out-of-range.s:[[#@LINE+1]]:5: error: there is no R255: registers are R0 to R254, and RZ
MOV R255, R1
