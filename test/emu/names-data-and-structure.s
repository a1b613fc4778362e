# The program that asm/Assembling.md shows: how many steps each of 1 to 8 needs to reach 1.
# RUN: %leno-as -Werror %s -o %t
# RUN: %leno-run %t --block 8 --arg out:u32[8]:print: | FileCheck %s
# CHECK: [0] 0 1 7 2 5 8 16 3
        .include "leno/structured.inc"
        .const  1                       # data in constant bank 1; after .global they are in global memory
first:  .word   1
        .kernel collatz
        .param  ptr out
        .reg    n, R4                   # names for registers,
        .reg    steps, R5
        .reg    at[0:1], R6             # for several,
        .pred   done, P0                # and for predicates
        .pred   odd, P1
        S2R     R0, SR_TID.X;
        IADD    n, R0, c[1][first];
        LOOP
            ISETP.eq    done, n, 1;
            @done BREAK                 # these lanes wait for the others behind ENDLOOP
            LOP.and     R1, n, 1;
            ISETP.ne    odd, R1, 0;
            IF  odd
                IMUL    n, n, 3;
                IADD    n, n, 1;
            ELSE
                SHR.u32 n, n, 1;
            ENDIF
            IADD        steps, steps, 1;
        ENDLOOP
        SHL     R0, R0, 2;
        IADD.CC at[0], R0, c[0][out];
        IADD.X  at[1], RZ, c[0][out+4];
        STG     [at[0].64], steps;
        EXIT;
        .endkernel
