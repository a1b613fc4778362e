# Reduction and scan of 32-bit numbers: lanes of a warp through SHFL, warps of a CTA through shared memory, CTAs by a
# second launch (scan) or atomics (reduce).

        .set    threads, 256                    # of a CTA

# Each CTA replaces its 256 values by the sums up to each, and gives its whole sum.
        .kernel scanBlocks
        .param  u32 count
        .param  ptr values
        .param  ptr sums                        # one for each CTA
        .shared warpSums, 32 * 4
        .reg    thread, R0
        .reg    lane, R1
        .reg    value, R2
        .reg    at[0:1], R4
        .pred   inside, P1
        S2R     thread, SR_TID.X;
        S2R     lane, SR_LANEID;
        S2R     R3, SR_CTAID.X;
        IMAD    R3, R3, threads, thread;
        ISETP.lt.u32 inside, R3, c[0][count];
        LEA.CC  at[0], R3, c[0][values], 2;
        LEA.HI.X at[1], R3, c[0][values+4], RZ, 2;
        MOV     value, RZ;
  @inside LDG   value, [at[0].64];

        .macro  scanWarp value                  # each lane adds what is 1, 2, 4, 8, 16 lanes below
        .irp    distance, 1, 2, 4, 8, 16
        SHFL.up P0, R6, \value, \distance, 0;
  @P0   IADD    \value, \value, R6;
        .endr
        .endm

        scanWarp value
        SHR.u32 R7, thread, 5;                  # the warp
        SHL     R8, R7, 2;
        ISETP.eq P0, lane, 31;
  @P0   STS     [R8+warpSums], value;
        BAR.SYNC 0;
        ISETP.lt.u32 P2, thread, 32;            # the first warp scans the sums of all
        SSY     scanned;
  @!P2  BRA     others;
        SHL     R9, thread, 2;
        MOV     R10, RZ;
        ISETP.lt.u32 P3, thread, threads / 32;
  @P3   LDS     R10, [R9+warpSums];
        scanWarp R10
  @P3   STS     [R9+warpSums], R10;
others: SYNC;
scanned: BAR.SYNC 0;
        ISETP.ge.u32 P0, thread, 32;
  @P0   LDS     R10, [R8+warpSums-4];           # the sum of the warps before
  @P0   IADD    value, value, R10;
  @inside STG   [at[0].64], value;
        ISETP.eq P0, thread, threads - 1;
  @!P0  EXIT;
        S2R     R3, SR_CTAID.X;
        LEA.CC  at[0], R3, c[0][sums], 2;
        LEA.HI.X at[1], R3, c[0][sums+4], RZ, 2;
        STG     [at[0].64], value;
        EXIT;
        .endkernel

# Each CTA but the first adds the sum of all CTAs before it.
        .kernel addSums
        .param  u32 count
        .param  ptr values
        .param  ptr sums                        # scanned
        S2R     R0, SR_CTAID.X;
        ISETP.eq P0, R0, RZ;
  @P0   EXIT;
        IADD    R1, R0, -1;
        LEA.CC  R4, R1, c[0][sums], 2;
        LEA.HI.X R5, R1, c[0][sums+4], RZ, 2;
        LDG     R2, [R4.64];
        S2R     R1, SR_TID.X;
        IMAD    R1, R0, threads, R1;
        ISETP.ge.u32 P0, R1, c[0][count];
  @P0   EXIT;
        LEA.CC  R4, R1, c[0][values], 2;
        LEA.HI.X R5, R1, c[0][values+4], RZ, 2;
        RED.add [R4.64], R2;
        EXIT;
        .endkernel

# The sum, the least and the greatest of all. Threads stride over the values; a warp's lanes exchange what they have in
# five steps, and its first lane adds that to the result.
        .kernel reduce
        .param  u32 count
        .param  ptr values
        .param  ptr result                      # sum, least, greatest
        .reg    sum, R1
        .reg    least, R2
        .reg    greatest, R3
        S2R     R0, SR_TID.X;
        S2R     R6, SR_CTAID.X;
        IMAD    R0, R6, threads, R0;
        MOV     sum, RZ;
        MOV     least, -1;
        MOV     greatest, RZ;
        MOV     R7, c[0][0xc];                  # NCTAID.x
        IMUL    R7, R7, threads;                # the stride
        PBK     read;
next:   ISETP.ge.u32 P0, R0, c[0][count];
  @P0   BRK;
        LEA.CC  R4, R0, c[0][values], 2;
        LEA.HI.X R5, R0, c[0][values+4], RZ, 2;
        LDG     R6, [R4.64];
        IADD    sum, sum, R6;
        IMIN.u32 least, least, R6;
        IMAX.u32 greatest, greatest, R6;
        IADD    R0, R0, R7;
        BRA     next;
read:   .irp    distance, 16, 8, 4, 2, 1
        SHFL.bfly R6, sum, \distance, 31;
        IADD    sum, sum, R6;
        SHFL.bfly R6, least, \distance, 31;
        IMIN.u32 least, least, R6;
        SHFL.bfly R6, greatest, \distance, 31;
        IMAX.u32 greatest, greatest, R6;
        .endr
        S2R     R0, SR_LANEID;
        ISETP.ne P0, R0, RZ;
  @P0   EXIT;
        MOV     R4, c[0][result];
        MOV     R5, c[0][result+4];
        RED.add [R4.64], sum;
        RED.min.u32 [R4.64+4], least;
        RED.max.u32 [R4.64+8], greatest;
        EXIT;
        .endkernel
