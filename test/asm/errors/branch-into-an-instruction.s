# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: branch-into-an-instruction.s:[[#@LINE+1]]:6: error: the branch target is not at an instruction: it lies 4 bytes past one
BRA .+12
