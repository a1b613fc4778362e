# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o | FileCheck %s
  FADD.SAT.RZ.FTZ R1, R2, R3;
# CHECK: FADD.RZ.FTZ.SAT R1, R2, R3;
  ISETP.and.u32.ge P0, R1, R2;
# CHECK: ISETP.ge.u32 P0, R1, R2;
