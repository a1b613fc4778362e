# Turns until |z| > 2, one pixel a thread; lanes wait for the slowest of their warp.
        .kernel mandelbrot
        .param  ptr image
        .param  u32 width
        .param  u32 limit
        S2R     R0, SR_CTAID.X
        S2R     R1, SR_TID.X
        IMAD    R0, R0, c[0][0], R1
        S2R     R1, SR_CTAID.Y
        S2R     R2, SR_TID.Y
        IMAD    R1, R1, c[0][4], R2
        I2F.u32 R4, R0
        I2F.u32 R5, R1
        MOV32I  R2, 0x3bc00000                  # 3 / 512
        FMUL    R4, R4, R2
        FADD    R4, R4, -2.25                   # c = R4 + i R5
        FMUL    R5, R5, R2
        FADD    R5, R5, -1.5
        MOV     R6, RZ                          # z = R6 + i R7
        MOV     R7, RZ
        MOV     R8, RZ                          # turns
        PBK     done
loop:
        FMUL    R9, R6, R6
        FMUL    R10, R7, R7
        FADD    R11, R9, R10
        FSETP.gt P1, R11, 4.0
  @P1   BRK
        FMUL    R11, R6, R7
        FADD    R6, R9, -R10
        FADD    R6, R6, R4
        FADD    R11, R11, R11
        FADD    R7, R11, R5
        IADD    R8, R8, 1
        ISETP.lt.u32 P1, R8, c[0][limit]
  @P1   BRA     loop
        BRK
done:
        IMAD    R0, R1, c[0][width], R0
        LEA.CC  R2, R0, c[0][image], 2
        LEA.HI.X R3, R0, c[0][image+4], RZ, 2
        STG     [R2.64], R8
        EXIT
        .endkernel
