# What the manual's section "Text" says can be written.
# RUN: %leno-as -c %s -o %t.o && %leno-objdump -d %t.o | FileCheck %s
        .set    half, 2
        .globl  helper
helper: RET // a function
        .kernel k
        .param  u32 n
        .param  ptr out
        .shared tile, 256, 64
        .local  32
label:  @!P0 ISETP.lt.and P1, P2, R4, c[0][n], P3;     # guard, mnemonic, modifiers, operands
# CHECK: @!P0 ISETP.lt P1, P2, R4, c[0][0x40], P3;
        mov r1, 4*half+1; Mov R2, -3 /* two in a line */
# CHECK: MOV R1, 9;
# CHECK: MOV R2, -3;
1:      FADD.rp R1, -|R2|, 0x3f800000
# CHECK: FADD.RP R1, -|R2|, 1
        FMUL R1, R2, inf
        MOV R1, 0b101
# CHECK: MOV R1, 5;
        VADD R1, R4.B1, R5.UH0
        LDC R1, c[3][R4+16]
        LDS R3, [R4+tile]
        LDG R3, [R4.64-8]
        LDS R3, [0x20]
        @P0 BRA CC.LT, 1b
        BRA 2f
        BRA .+16
2:      S2R R0, sr_tid.x
# CHECK: S2R R0, SR_TID.X;
        EXIT
        .endkernel
