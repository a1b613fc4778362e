# Ackermann's function A(2, size), by its definition: it goes 2 size deep, down and up a little all the time.
        begin   ackermann
        MOV     R1, 2
        MOV     R2, c[0][size]
        CAL     ack
        finish  R2
ack:                                    # R2 = A(R1, R2); R4 keeps the m's of the callers
        ISETP.eq P0, R1, RZ
        @P0 IADD R2, R2, 1
        @P0 RET
        ISETP.eq P1, R2, RZ
        @P1 BRA zero
        STG     [R4], R1
        IADD    R4, R4, 4
        IADD    R2, R2, -1
        CAL     ack
        IADD    R4, R4, -4
        LDG     R1, [R4]
        IADD    R1, R1, -1
        CAL     ack
        RET
zero:
        MOV     R2, 1
        IADD    R1, R1, -1
        CAL     ack
        RET
        .endkernel
