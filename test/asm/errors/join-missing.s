# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: join-missing.s:[[#@LINE+2]]:13: error: BRA.SSY needs one more operand: the label of the join
here:
BRA.SSY here
