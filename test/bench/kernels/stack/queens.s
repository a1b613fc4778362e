# Eight queens: thread t counts the boards whose first queen stands in column t % 8 and the second in a column c with
# c % 4 = t / 8 % 4. `size` times.
        begin   queens
        MOV     R15, c[0][size]
        MOV     R7, RZ
again:
        MOV     R5, 0xff                # all columns
        LOP.and R9, R0, 7
        MOV     R1, 1
        SHL     R1, R1, R9              # columns taken
        SHL     R2, R1, 1               # the diagonals, seen from the next row
        SHR.u32 R3, R1, 1
        LOP.or  R8, R1, R2
        LOP.or  R8, R8, R3
        LOP.xor R8, R8, R5
        SHR.u32 R9, R0, 3
        LOP.and R9, R9, 3
        MOV     R10, 0x11
        SHL     R10, R10, R9
        LOP.and R8, R8, R10
        LOP.and R8, R8, R5
        CAL     try
        IADD    R15, R15, -1
        ISETP.ne P0, R15, RZ
        @P0 BRA again
        finish  R7
place:                                  # all that is free in the next row
        ISETP.eq P0, R1, R5
        @P0 IADD R7, R7, 1
        @P0 RET
        LOP.or  R8, R1, R2
        LOP.or  R8, R8, R3
        LOP.xor R8, R8, -1
        LOP.and R8, R8, R5
try:                                    # the columns R8
        PBK     tried
next:
        ISETP.eq P0, R8, RZ
        @P0 BRK
        IADD    R9, RZ, -R8
        LOP.and R9, R8, R9              # the lowest of them
        LOP.xor R8, R8, R9
        STG     [R4], R8
        STG     [R4+4], R1
        STG     [R4+8], R2
        STG     [R4+12], R3
        IADD    R4, R4, 16
        LOP.or  R1, R1, R9
        LOP.or  R2, R2, R9
        SHL     R2, R2, 1
        LOP.or  R3, R3, R9
        SHR.u32 R3, R3, 1
        CAL     place
        IADD    R4, R4, -16
        LDG     R8, [R4]
        LDG     R1, [R4+4]
        LDG     R2, [R4+8]
        LDG     R3, [R4+12]
        BRA     next
tried:
        RET
        .endkernel
