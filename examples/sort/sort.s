# Bitonic sort of 2^n unsigned words. A step (run, distance) compares the words that are `distance` apart, upwards in
# every even run of `run` words and downwards in every odd one; runs 2, 4, ... 2^n, each with distances run / 2 ... 1.
# IMNMX with a predicate gives the lesser or the greater: no branch depends on the data.

        .set    threads, 256
        .set    tile, 2 * threads               # words that a CTA sorts in shared memory

        .macro  exchange low, high, downwards, lesser, greater
        IMNMX.u32 \lesser, \low, \high, \downwards;
        IMNMX.u32 \greater, \low, \high, !\downwards;
        .endm

# All steps of runs first to last whose distance is below a tile.
        .kernel sortTiles
        .param  u32 first
        .param  u32 last
        .param  ptr words
        .shared buffer, tile * 4
        .reg    thread, R0
        .reg    run, R1
        .reg    distance, R2
        .reg    begin, R3                       # of the tile, in words
        S2R     thread, SR_TID.X;
        S2R     begin, SR_CTAID.X;
        IMUL    begin, begin, tile;
        IADD    R6, begin, thread;
        LEA.CC  R8, R6, c[0][words], 2;
        LEA.HI.X R9, R6, c[0][words+4], RZ, 2;
        SHL     R6, thread, 2;
        LDG     R7, [R8.64];
        STS     [R6+buffer], R7;
        LDG     R7, [R8.64+threads*4];
        STS     [R6+buffer+threads*4], R7;
        BAR.SYNC 0;

        MOV     run, c[0][first];
runs:   SHR.u32 distance, run, 1;
        IMIN.u32 distance, distance, threads;
steps:  IADD    R10, distance, -1;
        LOP.and R10, thread, R10;               # thread modulo distance
        SHL     R11, thread, 1;
        IADD    R11, R11, -R10;                 # the lower of the two words
        IADD    R12, R11, begin;
        LOP.and R12, R12, run;
        ISETP.ne P0, R12, RZ;                   # downwards
        SHL     R11, R11, 2;
        LEA     R12, distance, R11, 2;
        LDS     R13, [R11+buffer];
        LDS     R14, [R12+buffer];
        exchange R13, R14, P0, R15, R16
        STS     [R11+buffer], R15;
        STS     [R12+buffer], R16;
        BAR.SYNC 0;
        SHR.u32 distance, distance, 1;
        ISETP.ne P1, distance, RZ;
  @P1   BRA.U   steps;
        SHL     run, run, 1;
        ISETP.le.u32 P1, run, c[0][last];
  @P1   BRA.U   runs;

        LDS     R7, [R6+buffer];
        STG     [R8.64], R7;
        LDS     R7, [R6+buffer+threads*4];
        STG     [R8.64+threads*4], R7;
        EXIT;
        .endkernel

# One step whose words are further apart.
        .kernel exchangeFar
        .param  u32 run
        .param  u32 distance
        .param  ptr words
        S2R     R0, SR_TID.X;
        S2R     R1, SR_CTAID.X;
        IMAD    R0, R1, threads, R0;
        MOV     R2, c[0][distance];
        IADD    R3, R2, -1;
        LOP.and R3, R0, R3;
        SHL     R4, R0, 1;
        IADD    R4, R4, -R3;                    # the lower of the two
        LOP.and R5, R4, c[0][run];
        ISETP.ne P0, R5, RZ;
        LEA.CC  R8, R4, c[0][words], 2;
        LEA.HI.X R9, R4, c[0][words+4], RZ, 2;
        IADD    R4, R4, R2;
        LEA.CC  R10, R4, c[0][words], 2;
        LEA.HI.X R11, R4, c[0][words+4], RZ, 2;
        LDG     R13, [R8.64];
        LDG     R14, [R10.64];
        exchange R13, R14, P0, R15, R16
        STG     [R8.64], R15;
        STG     [R10.64], R16;
        EXIT;
        .endkernel
