# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: operand-for-none.s:[[#@LINE+1]]:6: error: EXIT takes no operand: this one is too many
EXIT R1
