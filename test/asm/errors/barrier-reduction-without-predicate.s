# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: barrier-reduction-without-predicate.s:[[#@LINE+1]]:23: error: BAR.RED.POPC needs one more operand: a predicate, negated (!) or not
BAR.RED.POPC R1, 0, 64
