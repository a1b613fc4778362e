# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: psetp-of-four-operands-has-a-second-destination.s:[[#@LINE+1]]:15: error: expected a predicate; found a negated predicate
PSETP.and P2, !P0, P1, P3
# CHECK: psetp-of-four-operands-has-a-second-destination.s:[[#@LINE+1]]:31: error: PSETP takes 5 operands: this one is too many
PSETP.and P2, P0, P1, P3, P4, P5
# CHECK: psetp-of-four-operands-has-a-second-destination.s:[[#@LINE+1]]:17: error: PSETP needs one more operand: a predicate, negated (!) or not
PSETP.and P2, P0
