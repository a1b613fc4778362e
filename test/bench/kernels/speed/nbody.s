# The acceleration of each body by all: bodies are x, y, z, mass; 64 of them at a time in shared memory.
        .kernel nbody
        .param  ptr bodies
        .param  ptr accelerations
        .param  u32 n
        .shared tile, 1024
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        IMAD    R1, R1, c[0][0], R0             # the body
        SHL     R2, R1, 4
        IADD.CC R2, R2, c[0][bodies]
        IADD.X  R3, RZ, c[0][bodies+4]
        LDG.128 R4, [R2.64]                     # its place: R4, R5, R6
        SHL     R0, R0, 4
        IADD.CC R2, R0, c[0][bodies]
        IADD.X  R3, RZ, c[0][bodies+4]
        MOV     R8, RZ                          # acceleration
        MOV     R9, RZ
        MOV     R10, RZ
        MOV32I  R11, 0x3a83126f                 # 0.001, what keeps bodies apart
        MOV     R12, RZ                         # bodies done
tiles:
        LDG.128 R16, [R2.64]
        STS.128 [R0+tile], R16
        IADD.CC R2, R2, 1024
        IADD.X  R3, R3, RZ
        MOV     R13, RZ
        BAR.SYNC 0
body:
        .irp    next, 0, 16, 32, 48
        LDS.128 R16, [R13+tile+\next]
        FADD    R20, R16, -R4
        FADD    R21, R17, -R5
        FADD    R22, R18, -R6
        FFMA    R23, R20, R20, R11
        FFMA    R23, R21, R21, R23
        FFMA    R23, R22, R22, R23
        MUFU.rsq R23, R23
        FMUL    R24, R23, R23
        FMUL    R24, R24, R23
        FMUL    R24, R24, R19
        FFMA    R8, R20, R24, R8
        FFMA    R9, R21, R24, R9
        FFMA    R10, R22, R24, R10
        .endr
        IADD    R13, R13, 64
        ISETP.lt.u32 P0, R13, 1024
  @P0   BRA     body
        BAR.SYNC 0
        IADD    R12, R12, 64
        ISETP.lt.u32 P0, R12, c[0][n]
  @P0   BRA     tiles
        SHL     R1, R1, 4
        IADD.CC R2, R1, c[0][accelerations]
        IADD.X  R3, RZ, c[0][accelerations+4]
        MOV     R11, RZ
        STG.128 [R2.64], R8
        EXIT
        .endkernel
