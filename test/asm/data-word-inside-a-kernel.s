# A word of data counts to its kernel's length: the block ends where it ended, and assembles back.
# RUN: %leno-as %s -o %t
# RUN: %leno-objdump %t | FileCheck %s
# RUN: %leno-objdump %t | %leno-as - -o %t.2
# RUN: cmp %t %t.2
  .kernel k
  NOP
  .quad 0
  EXIT
  .endkernel
# CHECK: NOP;
# CHECK-NEXT: .quad 0x0000000000000000
# CHECK-NEXT: EXIT;
# CHECK-NEXT: .endkernel
