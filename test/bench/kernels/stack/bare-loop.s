# A loop without a pre-break, whose lanes leave at different times: each time some do, an entry stays behind until
# the last has left. `size` rounds.
        begin   bare_loop
        MOV     R1, RZ
        MOV     R2, RZ
round:
        IMAD    R3, R0, 7, R2
        LOP.and R3, R3, 31
        IADD    R3, R3, 1
        SSY     left
turn:
        IMAD    R1, R1, 5, R3
        IADD    R3, R3, -1
        ISETP.ne P0, R3, RZ
        @P0 BRA turn
        SYNC
left:
        IADD    R2, R2, 1
        ISETP.lt.u32 P0, R2, c[0][size]
        @P0 BRA round
        finish  R1
        .endkernel
