# An error inside a macro leads to both places.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: error: expected a register, negated or not; found a predicate
# CHECK: inside-a-macro.s:[[#@LINE+5]]:{{[0-9]+}}: note: while in macro instantiation
  .macro twice reg
  IADD \reg, \reg, \reg
  IADD R1, \reg, \reg
  .endm
  twice P0
