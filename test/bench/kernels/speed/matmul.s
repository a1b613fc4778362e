# C = A B, row-major, n a multiple of 32. A CTA of 32 x 8 threads makes a tile of 32 x 32; a thread four rows of it.
        .kernel matmul
        .param  ptr a
        .param  ptr b
        .param  ptr c
        .param  u32 n
        .shared tileA, 4096
        .shared tileB, 4096
        S2R     R0, SR_TID.X
        S2R     R1, SR_TID.Y
        S2R     R2, SR_CTAID.X
        S2R     R3, SR_CTAID.Y
        LEA     R4, R2, R0, 5                   # column
        LEA     R5, R3, R1, 5                   # first row; the others 8, 16 and 24 below
        IMAD    R6, R5, c[0][n], R0             # A[row][x], moving right
        IMAD    R7, R1, c[0][n], R4             # B[y][column], moving down
        LEA.CC  R8, R6, c[0][a], 2
        LEA.HI.X R9, R6, c[0][a+4], RZ, 2
        LEA.CC  R10, R7, c[0][b], 2
        LEA.HI.X R11, R7, c[0][b+4], RZ, 2
        MOV     R12, c[0][n]
        SHL     R12, R12, 5                     # eight rows, in bytes
        SHL     R13, R12, 2                     # 32 rows
        SHL     R14, R1, 7
        LEA     R15, R0, R14, 2                 # this thread's word of a tile
        SHL     R16, R0, 2
        MOV     R20, RZ                         # sums
        MOV     R21, RZ
        MOV     R22, RZ
        MOV     R23, RZ
        MOV     R17, RZ                         # k
step:
        MOV     R18, R8
        MOV     R19, R9
        MOV     R26, R10
        MOV     R27, R11
        .irp    row, 0, 1, 2, 3
        LDG     R24, [R18.64]
        LDG     R25, [R26.64]
        STS     [R15+tileA+\row*1024], R24
        STS     [R15+tileB+\row*1024], R25
        IADD.CC R18, R18, R12
        IADD.X  R19, R19, RZ
        IADD.CC R26, R26, R12
        IADD.X  R27, R27, RZ
        .endr
        BAR.SYNC 0
        .set    k, 0
        .rept   32
        LDS     R28, [R16+tileB+k*128]
        LDS     R24, [R14+tileA+k*4]
        LDS     R25, [R14+tileA+k*4+1024]
        LDS     R26, [R14+tileA+k*4+2048]
        LDS     R27, [R14+tileA+k*4+3072]
        FFMA    R20, R24, R28, R20
        FFMA    R21, R25, R28, R21
        FFMA    R22, R26, R28, R22
        FFMA    R23, R27, R28, R23
        .set    k, k+1
        .endr
        BAR.SYNC 0
        IADD.CC R8, R8, 128
        IADD.X  R9, R9, RZ
        IADD.CC R10, R10, R13
        IADD.X  R11, R11, RZ
        IADD    R17, R17, 32
        ISETP.lt.u32 P0, R17, c[0][n]
  @P0   BRA     step
        IMAD    R6, R5, c[0][n], R4
        LEA.CC  R8, R6, c[0][c], 2
        LEA.HI.X R9, R6, c[0][c+4], RZ, 2
        .irp    row, 0, 1, 2, 3
        STG     [R8.64], R2\row
        IADD.CC R8, R8, R12
        IADD.X  R9, R9, RZ
        .endr
        EXIT
        .endkernel
