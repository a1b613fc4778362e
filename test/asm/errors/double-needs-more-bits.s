# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: double-needs-more-bits.s:[[#@LINE+1]]:14: error: this value needs more than the 20 bits an immediate has here
DADD R0, R2, 0.1
