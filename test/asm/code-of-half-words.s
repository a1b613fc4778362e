# Data among the code may have any length: an instruction behind them that would not begin at a multiple of 8, and a
# section that would end within a word, are told where they are.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
  NOP
  .byte 1
  EXIT
  NOP
  .endkernel
  .section .text.other,"ax",@progbits
  NOP;
  .Byte 1, 2
# CHECK: code-of-half-words.s:[[#@LINE-6]]:3: error: this instruction would begin at byte 9 of .text, which is no multiple of 8: write .balign 8 before it, behind the data
# CHECK: code-of-half-words.s:[[#@LINE-2]]:3: error: .text.other would end 2 bytes into a word: write .balign 8 behind the data
# CHECK: 2 errors
