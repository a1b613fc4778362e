# What the manual's section "Text" says can be written.
# RUN: %leno-as -c %s -o %t.o && %leno-objdump -d %t.o | FileCheck %s
        .set    half, 2
        .globl  helper
helper: RET // a function
        .const  3
table:  .word   1, 2, 3, 4
        .half   5
        .float  1.5
        .global
place:  .quad   7
        .balign 16
        .zero   16
        .text
        .include "leno/structured.inc"
        .kernel k
        .reg    sum, R4
        .reg    tile4[0:3], R8
        .pred   done, P1
        .registers 40
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
        MOV sum, tile4[3]
# CHECK: MOV R4, R11;
        LDC R1, c[3][table]
        MOV32I R2, lo(place)
        MOV32I R3, hi(place)
        LOOP
          IF !done
            IADD sum, sum, 1
          ENDIF
          ISETP.gt done, sum, 9
        UNTIL done
        EXIT
        .endkernel
