# The message shows the source line and a caret under the wrong operand.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --strict-whitespace %s
# CHECK: {{^.*}}caret-and-source-line.s:[[#@LINE+3]]:18: error: expected a register, negated or not; found a predicate
# CHECK-NEXT:{{^}}    @P1 IADD R1, P2, R3;
# CHECK-NEXT:{{^}}                 ^
    @P1 IADD R1, P2, R3;
