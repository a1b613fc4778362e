# Each thread sorts `size` words of its own, the last element of a range the pivot. Data in order make it `size`
# deep. The result is a checksum of the sorted words.
        begin   quicksort
        MOV     R1, RZ
        MOV     R2, c[0][size]
        IADD    R2, R2, -1
        IMUL    R6, R0, c[0][size]
        SHL     R6, R6, 2
        IADD    R6, R6, c[0][data]
        CAL     sort
        MOV     R1, RZ
        MOV     R2, c[0][size]
sum:
        LDG     R3, [R6]
        IMAD    R1, R1, 31, R3
        IADD    R6, R6, 4
        IADD    R2, R2, -1
        ISETP.ne P0, R2, RZ
        @P0 BRA sum
        finish  R1
sort:                                   # the words R1 to R2 of R6; R4 keeps what is left to do
        ISETP.ge P0, R1, R2
        @P0 RET
        SHL     R7, R2, 2
        IADD    R7, R7, R6
        LDG     R8, [R7]                # the pivot
        SHL     R9, R1, 2
        IADD    R9, R9, R6
        MOV     R10, R9                 # where the next smaller one goes
        PBK     parted
part:
        ISETP.ge.u32 P0, R9, R7
        @P0 BRK
        LDG     R11, [R9]
        ISETP.lt.u32 P1, R11, R8
        @P1 LDG R12, [R10]
        @P1 STG [R10], R11
        @P1 STG [R9], R12
        @P1 IADD R10, R10, 4
        IADD    R9, R9, 4
        BRA     part
parted:
        LDG     R12, [R10]
        STG     [R10], R8
        STG     [R7], R12
        IADD    R13, R10, -R6
        SHR     R13, R13, 2
        IADD    R14, R13, 1
        STG     [R4], R14
        STG     [R4+4], R2
        IADD    R4, R4, 8
        IADD    R2, R13, -1
        CAL     sort
        IADD    R4, R4, -8
        LDG     R1, [R4]
        LDG     R2, [R4+4]
        CAL     sort
        RET
        .endkernel
