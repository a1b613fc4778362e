# RUN: not %leno-as %s -o %t 2>&1 | FileCheck %s
  .kernel k
  .reg acc, R1
  MOV acc, 1
  EXIT
  .endkernel
  .kernel l
# CHECK: name-ends-with-its-kernel.s:[[#@LINE+1]]:7: error: expected a register; found a label or expression
  MOV acc, 1
  EXIT
  .endkernel
