# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: registers-too-few.s:[[#@LINE+1]]:14: error: kernel 'k' needs 12 registers, not 8
  .registers 8
  MOV R1, R2
# CHECK: registers-too-few.s:[[#@LINE+1]]:3: note: R11 is used here
  LDG.128 R8, [R2.64]
  MOV R1, R2
  EXIT
  .endkernel
