        .kernel endless
again:
        IADD    R0, R0, 1;
        BRA     again;
        .endkernel
