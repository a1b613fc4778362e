# F2I takes .ROUND, .FLOOR, .CEIL and .TRUNC for .RN, .RM, .RP and .RZ, in any place among its modifiers.
# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o | FileCheck %s
  F2I.ROUND R1, R2;
# CHECK: F2I.RN R1, R2;
  F2I.floor.s64.f64 R4, -R2;
# CHECK-NEXT: F2I.s64.f64.RM R4, -R2;
  F2I.u32.CEIL R1, R2;
# CHECK-NEXT: F2I.u32.RP R1, R2;
  F2I.TRUNC.u8.FTZ R1, R2;
# CHECK-NEXT: F2I.u8.FTZ R1, R2;
