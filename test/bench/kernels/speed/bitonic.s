# One pass of a bitonic sort of words: a thread compares two that are `stride` apart, upwards where (i & size) is 0.
        .kernel bitonic
        .param  ptr words
        .param  u32 stride
        .param  u32 size
        S2R     R0, SR_CTAID.X
        S2R     R1, SR_TID.X
        IMAD    R0, R0, c[0][0], R1
        MOV     R1, c[0][stride]
        IADD    R2, R1, -1
        LOP.and R2, R0, R2
        ISCADD  R3, R0, -R2, 1 
        LOP.and R4, R3, c[0][size]
        ISETP.eq P0, R4, RZ                     # upwards
        IADD    R5, R3, R1
        LEA.CC  R6, R3, c[0][words], 2
        LEA.HI.X R7, R3, c[0][words+4], RZ, 2
        LEA.CC  R8, R5, c[0][words], 2
        LEA.HI.X R9, R5, c[0][words+4], RZ, 2
        LDG     R10, [R6.64]
        LDG     R11, [R8.64]
        IMNMX.u32 R12, R10, R11, !P0
        IMNMX.u32 R13, R10, R11, P0
        STG     [R6.64], R12
        STG     [R8.64], R13
        EXIT
        .endkernel
