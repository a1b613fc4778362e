# Thirty-one ifs in one another, lane k going k deep: two entries for each level. `size` rounds.
        begin   deep_ifs
        LOP.and R5, R0, 31
        MOV     R1, RZ
        MOV     R2, c[0][size]
round:
        .irp    k,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        SSY     join\k
        ISETP.lt.u32 P0, R5, \k
        @P0 BRA else\k
        IMAD    R1, R1, 3, R5
        .endr
        .irp    k,31,30,29,28,27,26,25,24,23,22,21,20,19,18,17,16,15,14,13,12,11,10,9,8,7,6,5,4,3,2,1
        SYNC
else\k:
        IADD    R1, R1, \k
        SYNC
join\k:
        .endr
        IADD    R2, R2, -1
        ISETP.ne P0, R2, RZ
        @P0 BRA round
        finish  R1
        .endkernel
