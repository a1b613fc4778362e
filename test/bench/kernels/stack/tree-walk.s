# A binary search tree of `size` nodes of three words: key, left, right (0: none; the root is 1). Thread t adds up
# the keys from 1000 t to 1000 t + 20000.
        begin   tree_walk
        IMUL    R2, R0, 1000
        MOV32I  R5, 20000
        IADD    R3, R2, R5
        MOV     R6, c[0][data]
        MOV     R11, RZ
        MOV     R1, 1
        CAL     walk
        finish  R11
walk:                                   # below node R1; R4 keeps keys and right children
        ISETP.eq P0, R1, RZ
        @P0 RET
        IMAD    R7, R1, 12, R6
        LDG     R8, [R7]
        LDG     R1, [R7+4]
        LDG     R10, [R7+8]
        ISETP.ge.u32 P1, R8, R2
        ISETP.le.u32.and P2, PT, R8, R3, P1
        @P2 IADD R11, R11, R8
        STG     [R4], R8
        STG     [R4+4], R10
        IADD    R4, R4, 8
        @!P1 BRA.SSY noleft, left       # nothing of interest is on the left
        CAL     walk
        SYNC
noleft:
        SYNC
left:
        IADD    R4, R4, -8
        LDG     R8, [R4]
        LDG     R1, [R4+4]
        ISETP.le.u32 P2, R8, R3
        @!P2 BRA.SSY noright, right
        CAL     walk
        SYNC
noright:
        SYNC
right:
        RET
        .endkernel
