# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .global
# CHECK: values-of-other-sections.s:[[#@LINE+1]]:9: error: this value depends on another section and has no relocation of its size
  .byte x
  .const 1
x: .word 1
