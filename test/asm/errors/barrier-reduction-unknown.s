# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: barrier-reduction-unknown.s:[[#@LINE+1]]:1: error: unknown instruction 'BAR.RED.XOR'; did you mean 'BAR.RED.OR'?
BAR.RED.XOR P1, 0, P0
