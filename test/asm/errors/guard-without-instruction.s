# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: guard-without-instruction.s:[[#@LINE+1]]:4: error: expected an instruction after the guard
@P0
