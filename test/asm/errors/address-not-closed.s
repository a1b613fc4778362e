# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: address-not-closed.s:[[#@LINE+1]]:12: error: expected ']' to close the address, or an offset such as +16
LDG R1, [R2
