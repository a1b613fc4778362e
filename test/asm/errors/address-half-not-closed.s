# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: address-half-not-closed.s:[[#@LINE+1]]:18: error: expected ')' after the label
  MOV32I R1, lo(x;
# CHECK: address-half-not-closed.s:[[#@LINE+1]]:19: error: expected ',' or ';' here: an operand ends at this point
  MOV32I R1, lo(x)+4
# CHECK: address-half-not-closed.s:[[#@LINE+1]]:7: error: expected a test of the flags such as CC.LT, or a label; found
  BRA lo(x)
