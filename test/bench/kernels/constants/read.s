# A CTA reads some of the 512 words of c[1], as its number says, and stores their sum. Some take ten times as long as others.
        .kernel read
        .param  u32 first       # the number of the launch's first CTA
        .param  ptr sums        # by the CTAs' numbers
        S2R     R0, SR_CTAID.X
        IADD    R1, R0, c[0][first]
        MOV32I  R2, 1664525
        MOV32I  R3, 1013904223
        IMAD    R4, R1, R2, R3
        IMAD    R4, R4, R2, R3
        SHR.u32 R5, R4, 24
        LOP.and R5, R5, 127
        SHR.u32 R6, R4, 16
        LOP.and R6, R6, 63
        IADD    R5, R5, R6
        IADD    R5, R5, 20
        MOV     R7, 0
again:  IMAD    R4, R4, R2, R3
        SHR.u32 R6, R4, 16
        LOP.and R6, R6, 511
        SHL     R6, R6, 2
        LDC     R8, c[1][R6]
        IADD    R7, R7, R8
        IADD    R5, R5, -1
        ISETP.ne P0, R5, RZ
  @P0   BRA.U   again
        SHL     R1, R1, 2
        IADD.CC R10, R1, c[0][sums]
        IADD.X  R11, RZ, c[0][sums+4]
        STG     [R10.64], R7
        EXIT
        .endkernel
