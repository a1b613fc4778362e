# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .macro m
  @P1 MOV R1, R2
  SSY 1f
1:
  .endm
# CHECK: guard-inside-a-guarded-macro.s:[[#@LINE-4]]:3: error: this has a guard of its own, and its macro was called with one
# CHECK: guard-inside-a-guarded-macro.s:[[#@LINE+6]]:7: note: while in macro instantiation
# CHECK: guard-inside-a-guarded-macro.s:[[#@LINE+5]]:3: note: the guard stands before the macro here
# CHECK: guard-inside-a-guarded-macro.s:[[#@LINE-6]]:3: error: SSY cannot be predicated: it pushes for all active lanes
# CHECK: guard-inside-a-guarded-macro.s:[[#@LINE+3]]:7: note: while in macro instantiation
# CHECK: guard-inside-a-guarded-macro.s:[[#@LINE+2]]:3: note: the guard stands before the macro here
# CHECK: guard-inside-a-guarded-macro.s: 2 errors
  @P0 m
  @P0 MOV R1, R2
