# The sum of 512 floats by each CTA of 256 threads, a tree in shared memory; run again over the sums.
        .kernel reduction
        .param  ptr in
        .param  ptr sums
        .param  u32 n                           # of in
        .param  u32 from                        # first word of in
        .param  u32 to                          # first word of sums
        .shared partial, 1024
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        LEA     R2, R1, R0, 9                   # elements R2 and R2 + 256
        IADD    R3, R2, 256
        ISETP.lt.u32 P0, R2, c[0][n]
        ISETP.lt.u32 P1, R3, c[0][n]
        IADD    R2, R2, c[0][from]
        LEA.CC  R4, R2, c[0][in], 2
        LEA.HI.X R5, R2, c[0][in+4], RZ, 2
        MOV     R6, RZ
        MOV     R7, RZ
  @P0   LDG     R6, [R4.64]
  @P1   LDG     R7, [R4.64+1024]
        FADD    R6, R6, R7
        SHL     R8, R0, 2
        STS     [R8+partial], R6
        BAR.SYNC 0
        .irp    half, 128, 64, 32, 16, 8, 4, 2, 1
        ISETP.lt.u32 P0, R0, \half
  @P0   LDS     R6, [R8+partial]
  @P0   LDS     R7, [R8+partial+\half*4]
  @P0   FADD    R6, R6, R7
  @P0   STS     [R8+partial], R6
        BAR.SYNC 0
        .endr
        ISETP.ne P0, R0, RZ
  @P0   EXIT
        LDS     R6, [partial]
        IADD    R1, R1, c[0][to]
        LEA.CC  R4, R1, c[0][sums], 2
        LEA.HI.X R5, R1, c[0][sums+4], RZ, 2
        STG     [R4.64], R6
        EXIT
        .endkernel
