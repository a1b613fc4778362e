# Mnemonics, modifiers and registers in either case.
# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o | FileCheck %s
  @!p1 iadd.cc.x r1, -R2, rz;
# CHECK: @!P1 IADD.X.CC R1, -R2, RZ;
  S2R r3, sr_tid.x
# CHECK: S2R R3, SR_TID.X;
