# Labels, parameters and shared variables cannot have a register's name; one past the last register is a name.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: name-that-is-a-register.s:[[#@LINE+1]]:14: error: 'R1' is a register itself: choose another name
  .param u32 R1
  .param u32 p8
# CHECK: name-that-is-a-register.s:[[#@LINE+1]]:11: error: 'PT' is a register itself: choose another name
  .shared PT, 4
# CHECK: name-that-is-a-register.s:[[#@LINE+1]]:1: error: 'r2' is a register; a label needs another name
r2:
R4294967295:
  EXIT
  .endkernel
# CHECK: 3 errors
