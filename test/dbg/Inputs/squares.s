        .kernel squares
        .param  ptr out
        S2R     R0, SR_TID.X;
        IMUL    R1, R0, R0;
        SHL     R2, R0, 2;
        IADD    R2, R2, c[0][out];
        STG     [R2], R1;
        EXIT;
        .endkernel
