# Each thread puts its number into shared memory and reads that of the other warp after a barrier.
        .kernel exchange
        .shared slots, 256
        S2R     R0, SR_TID.X;
        SHL     R1, R0, 2;
        STS     [R1], R0;
        BAR.SYNC 3;
        LOP.xor R1, R1, 128;
        LDS     R2, [R1];
        EXIT;
        .endkernel
