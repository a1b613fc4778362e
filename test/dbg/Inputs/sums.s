# Each thread adds the numbers from its own down, n times.
        .kernel sums
        .param  u32 n
        .param  ptr out
        S2R     R0, SR_TID.X;
        S2R     R1, SR_CTAID.X;
        MOV     R2, 0;
        MOV     R3, c[0][n];
        PBK     done;
loop:   IADD    R2, R2, R0;
        IADD    R3, R3, -1;
        ISETP.eq P0, R3, 0;
    @P0 BRK;
        BRA     loop;
done:   SHL     R4, R1, 5;
        IADD    R4, R4, R0;
        SHL     R4, R4, 2;
        IADD    R4, R4, c[0][out];
        STG     [R4], R2;
        EXIT;
        .endkernel
