# Parameters follow one another in c[0] from 0x40 on, naturally aligned.
# RUN: %leno-as %s -o %t
# RUN: %leno-objdump %t | FileCheck %s
# RUN: %leno-objdump --kernels %t | FileCheck --check-prefix=KERNELS %s
  .kernel k
  .param u8 a
  .param u16 b
  .param f32 c
  .param ptr d
  .param u8 e
  .param f64 f
  LDC.u16 R0, c[0][b];
# CHECK: LDC.u16 R0, c[0][0x42];
  MOV R1, c[0][d+4];
# CHECK: MOV R1, c[0][0x4c];
  IADD R2, R3, f - e;
# CHECK: IADD R2, R3, 8;
  LDC R4, c[0][R5+c];
# CHECK: LDC R4, c[0][R5+0x44];
  EXIT;
  .endkernel
# KERNELS: kernel k
# KERNELS: registers  6
# KERNELS: c[0][0x40]{{ +}}u8{{ +}}a
# KERNELS: c[0][0x42]{{ +}}u16{{ +}}b
# KERNELS: c[0][0x44]{{ +}}f32{{ +}}c
# KERNELS: c[0][0x48]{{ +}}ptr{{ +}}d
# KERNELS: c[0][0x50]{{ +}}u8{{ +}}e
# KERNELS: c[0][0x58]{{ +}}f64{{ +}}f
