# Work that reads a constant for as long as it runs: what it tells shows which version of the constant it had.
        .const  1
factor: .word   111

# y[first + thread] = factor, added up turns + more * CTA times.
        .kernel sum
        .param  u32 first
        .param  u32 turns
        .param  u32 more
        .param  ptr y
        .reg    turn, R3
        .reg    total, R4
        .reg    at[0:1], R6
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        S2R     R2, SR_NTID.X
        MOV     turn, c[0][turns]
        IMAD    turn, R1, c[0][more], turn
        IMAD    R0, R1, R2, R0
        IADD    R0, R0, c[0][first]
        MOV     total, 0
again:  IADD    total, total, c[1][factor]
        IADD    turn, turn, -1
        ISETP.ne P0, turn, 0
  @P0   BRA.U   again
        SHL     R0, R0, 2
        IADD.CC at[0], R0, c[0][y]
        IADD.X  at[1], RZ, c[0][y+4]
        STG     [at[0].64], total
        EXIT
        .endkernel
