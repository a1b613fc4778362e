# Steps of 3 n + 1 and n / 2 until 1 is reached, n = thread + 1, in 64 bits; both ways are guarded, not branched to.
        .kernel collatz
        .param  ptr steps
        S2R     R0, SR_CTAID.X
        S2R     R1, SR_TID.X
        IMAD    R0, R0, c[0][0], R1
        IADD    R4, R0, 1                       # n = R5:R4
        MOV     R5, RZ
        MOV     R6, RZ                          # steps
        MOV     R2, 1                           # R3:R2 = 1
        MOV     R3, RZ
        PBK     done
loop:
        ISETP.eq P0, R4, 1
        ISETP.eq.and P0, R5, RZ, P0
  @P0   BRK
        LOP.and R7, R4, 1
        ISETP.ne P1, R7, RZ
  @P1   IMUL    R8, R5, 3
  @P1   IMAD.WIDE.u32 R4, R4, 3, R2
  @P1   IADD    R5, R5, R8
  @!P1  SHF.R   R4, R4, 1, R5
  @!P1  SHR.u32 R5, R5, 1
        IADD    R6, R6, 1
        BRA     loop
done:
        LEA.CC  R2, R0, c[0][steps], 2
        LEA.HI.X R3, R0, c[0][steps+4], RZ, 2
        STG     [R2.64], R6
        EXIT
        .endkernel
