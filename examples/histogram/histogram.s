# How often each byte value occurs, in three ways.

# Without atomics: CTA b counts value b. Its threads stride over the data, then add up their counts in a tree through
# shared memory, with a barrier at each level.

        .set    threads, 256

        .kernel histogram
        .param  u32 size                        # bytes
        .param  ptr data
        .param  ptr counts                      # u32[256]
        .shared partial, threads * 4

        S2R     R0, SR_TID.X;
        S2R     R1, SR_CTAID.X;                 # the value to count
        MOV     R2, RZ;                         # this thread's count
        MOV     R3, R0;                         # its next byte

        PBK     counted;
count:
        ISETP.ge.u32 P0, R3, c[0][size];
  @P0   BRK;
        IADD.CC R4, R3, c[0][data];
        IADD.X  R5, RZ, c[0][data+4];
        LDG.u8  R6, [R4.64];
        ISETP.eq P1, R6, R1;
  @P1   IADD    R2, R2, 1;
        IADD    R3, R3, threads;
        BRA     count;
counted:
        SHL     R7, R0, 2;
        STS     [R7+partial], R2;
        BAR.SYNC 0;

        # 128 threads add the upper half to the lower, then 64, ... then one.
        .irp    half, 128, 64, 32, 16, 8, 4, 2, 1
        ISETP.lt.u32 P0, R0, \half;
  @P0   LDS     R4, [R7+partial];
  @P0   LDS     R5, [R7+partial+\half*4];
  @P0   IADD    R4, R4, R5;
  @P0   STS     [R7+partial], R4;
        BAR.SYNC 0;
        .endr

        ISETP.ne P0, R0, RZ;
  @P0   EXIT;
        LDS     R2, [partial];
        SHL     R1, R1, 2;
        IADD.CC R4, R1, c[0][counts];
        IADD.X  R5, RZ, c[0][counts+4];
        STG     [R4.64], R2;
        EXIT;
        .endkernel

# With atomics: each CTA of 256 threads counts its part of the data in shared memory, then adds its counts to all.
        .kernel withAtomics
        .param  u32 size
        .param  ptr data
        .param  ptr counts
        .shared part, 256 * 4
        S2R     R0, SR_TID.X;
        SHL     R7, R0, 2;
        STS     [R7+part], RZ;
        BAR.SYNC 0;
        S2R     R1, SR_CTAID.X;
        IMAD    R3, R1, threads, R0;            # this thread's next byte
        MOV     R8, c[0][0xc];                  # NCTAID.x
        IMUL    R8, R8, threads;                # the stride
        MOV     R9, 1;
        PBK     allCounted;
nextByte:
        ISETP.ge.u32 P0, R3, c[0][size];
  @P0   BRK;
        IADD.CC R4, R3, c[0][data];
        IADD.X  R5, RZ, c[0][data+4];
        LDG.u8  R6, [R4.64];
        SHL     R6, R6, 2;
        ATOMS.add RZ, [R6+part], R9;            # also when lanes have the same byte
        IADD    R3, R3, R8;
        BRA     nextByte;
allCounted:
        BAR.SYNC 0;
        LDS     R2, [R7+part];
        IADD.CC R4, R7, c[0][counts];
        IADD.X  R5, RZ, c[0][counts+4];
        RED.add [R4.64], R2;
        EXIT;
        .endkernel

# With locks: for each byte a thread takes the lock of that value's count, adds one, stores and unlocks. Of the lanes
# that want the same lock one gets it; it leaves the loop and waits for the others, which try again.
        .kernel withLocks
        .param  u32 size
        .param  ptr data
        .param  ptr counts
        S2R     R0, SR_TID.X;
        S2R     R1, SR_CTAID.X;
        IMAD    R3, R1, threads, R0;
        MOV     R8, c[0][0xc];
        IMUL    R8, R8, threads;
        PBK     finished;
take:   ISETP.ge.u32 P0, R3, c[0][size];
  @P0   BRK;
        IADD.CC R4, R3, c[0][data];
        IADD.X  R5, RZ, c[0][data+4];
        LDG.u8  R6, [R4.64];
        SHL     R6, R6, 2;
        IADD.CC R4, R6, c[0][counts];
        IADD.X  R5, RZ, c[0][counts+4];
        PBK     added;
try:    LDLK    P1, R6, [R4.64];
  @P1   IADD    R6, R6, 1;
  @P1   STUL    [R4.64], R6;
  @P1   BRK;
        BRA     try;
added:  IADD    R3, R3, R8;
        BRA     take;
finished:
        EXIT;
        .endkernel
