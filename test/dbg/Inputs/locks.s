# Each lane tries to lock word 1 of shared memory and its own word of global memory.
        .kernel locks
        .param  ptr out
        .shared slots, 64
        S2R     R0, SR_LANEID;
        LDSLK   P0, R1, [4];
        SHL     R2, R0, 2;
        IADD    R2, R2, c[0][out];
        LDLK    P1, R3, [R2];
held:
        NOP;
  @P1   STUL    [R2], R0;
  @P0   STSUL   [4], R0;
        EXIT;
        .endkernel
