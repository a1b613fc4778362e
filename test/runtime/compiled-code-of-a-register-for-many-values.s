# Compilers keep one value after the other in a register: here R2 is what was read, and then an address. Each access is
# compiled for how its own addresses lie: all of them side by side, none in any way.
# REQUIRES: compiled
# RUN: %leno-objdump --compiled %s > %t && FileCheck %s < %t
# RUN: not grep moveAny %t
# RUN: %leno-run %s --tier compiled --block 64 --arg out:u32[64]:%t.in.bin --arg out:u32[64]:print: | FileCheck %s --check-prefix RAN
# CHECK: // shift: code for warps all of whose lanes are active
# CHECK: LDG R2, [R2.64];
# CHECK: STG [R2.64], R6;
# RAN: [32] 1 1 1 1
        .kernel shift
        .param  ptr in
        .param  ptr out
        S2R     R0, SR_TID.X;
        SHL     R4, R0, 2;
        MOV     R7, 4
again:  IADD.CC R2, R4, c[0][in];
        IADD.X  R3, RZ, c[0][in+4];
        LDG     R2, [R2.64];
        IADD    R6, R2, 1;
        IADD.CC R2, R4, c[0][out];
        IADD.X  R3, RZ, c[0][out+4];
        STG     [R2.64], R6;
        IADD    R7, R7, -1
        ISETP.ne P0, R7, RZ
  @P0   BRA.U   again
        EXIT
        .endkernel
