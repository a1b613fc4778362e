# Parameters, data in a constant bank and data in global memory, all read by name.
        .global
table:  .word   5, 6, 7
        .const  1
two:    .word   2
first:  .word   11
        .kernel constants
        .param  u32 n
        .param  ptr out
        S2R     R0, SR_TID.X;
        IADD    R1, R0, c[1][first];
        SHL     R2, R0, 2;
        IADD    R2, R2, c[0][out];
        STG     [R2], R1;
        EXIT;
        .endkernel
