# RUN: %leno-as %s -o %t
# RUN: %leno-objdump %t | FileCheck %s
  .kernel first
  .param u32 n
  MOV R0, c[0][n];
# CHECK: MOV R0, c[0][0x40];
  EXIT;
  .endkernel
  .kernel second
  .param ptr p
  .param u32 n
  MOV R0, c[0][n];
# CHECK: MOV R0, c[0][0x48];
  EXIT;
  .endkernel
