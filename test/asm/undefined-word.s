# A word that is no instruction prints as data, with the reason, and assembles back.
# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o | FileCheck %s
# RUN: %leno-objdump %t.o | %leno-as -c - -o %t.2.o
# RUN: cmp %t.o %t.2.o
  .quad 0
# CHECK: .quad 0x0000000000000000 # not an instruction: no instruction has opcode 0x0 (bits 63-57)
  .quad 0xe000000000000407
# An EXIT with one unclaimed bit.
# CHECK: .quad 0xe000000000000407 # not an instruction: NOP: must be zero: bits 10
  EXIT
# CHECK: EXIT;
