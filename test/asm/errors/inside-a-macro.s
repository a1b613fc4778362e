# An error inside a macro leads to both places: the macro's line, with what it became, and the call.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck --implicit-check-not='<instantiation' %s
# CHECK: inside-a-macro.s:[[#@LINE+7]]:8: error: expected a register; found a predicate
# CHECK-NEXT: IADD \reg, \reg, \reg
# CHECK-NEXT: {{^       }}^
# CHECK-NEXT: inside-a-macro.s:[[#@LINE+4]]:6: note: the line as it is expanded
# CHECK-NEXT: IADD P0, P0, P0
# CHECK: inside-a-macro.s:[[#@LINE+6]]:3: note: while in macro instantiation
  .macro twice reg
  IADD \reg, \reg, \reg
# CHECK: inside-a-macro.s:[[#@LINE+1]]:12: error: expected a register, negated or not; found a predicate
  IADD R1, \reg, \reg
  .endm
  twice P0
