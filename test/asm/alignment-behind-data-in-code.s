# Alignment in code fills the rest of a word of data with zeroes, whole words with NOPs.
# RUN: %leno-as -c %s -o %t && %leno-objdump --raw %t | FileCheck %s
# RUN: %leno-objdump %t | %leno-as -c - -o %t.2 && cmp %t %t.2
  .kernel k
  NOP
  .byte 1, 2
  .balign 32
  EXIT
  .endkernel
# CHECK: 0000: {{[0-9a-f]+}}
# CHECK: 0008: 0000000000000201
# CHECK: NOP; {{.*}} 0010:
# CHECK: NOP; {{.*}} 0018:
# CHECK: EXIT; {{.*}} 0020:
