# y = a x + y, one element a thread.
        .kernel saxpy
        .param  ptr x
        .param  ptr y
        .param  u32 n
        .param  f32 a
        S2R     R0, SR_CTAID.X
        S2R     R1, SR_TID.X
        IMAD    R0, R0, c[0][0], R1             # c[0][0] is NTID.x
        ISETP.ge.u32 P0, R0, c[0][n]
  @P0   EXIT
        LEA.CC  R2, R0, c[0][x], 2
        LEA.HI.X R3, R0, c[0][x+4], RZ, 2
        LEA.CC  R4, R0, c[0][y], 2
        LEA.HI.X R5, R0, c[0][y+4], RZ, 2
        LDG     R6, [R2.64]
        LDG     R7, [R4.64]
        FFMA    R7, R6, c[0][a], R7
        STG     [R4.64], R7
        EXIT
        .endkernel
