# Arithmetic alone: each thread mixes its number `turns` times and stores it.
        .kernel mix
        .param  ptr out
        .param  u32 turns
        .reg    n, R0
        .reg    value, R1
        .reg    turn, R2
        .reg    at[0:1], R4
        S2R     n, SR_TID.X
        S2R     R3, SR_CTAID.X
        IMAD    n, R3, c[0][0], n       # c[0][0] is NTID.X
        MOV     value, n
        MOV     turn, c[0][turns]
again:  SHR.u32 R3, value, 15
        LOP.xor value, value, R3
        IMAD    value, value, value, n
        SHL     R3, value, 7
        IADD    value, value, R3
        IADD    turn, turn, -1
        ISETP.gt P0, turn, 0
  @P0   BRA     again
        SHL     R3, n, 2
        IADD.CC at[0], R3, c[0][out]
        IADD.X  at[1], RZ, c[0][out+4]
        STG     [at[0].64], value
        EXIT
        .endkernel
