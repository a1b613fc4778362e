# sum(n) = n + sum(n - 1), `size` deep, twenty times: all the way down and all the way up, with next to nothing
# between two returns. The stack cache's hardest case.
        begin   recursion
        MOV     R3, 20
        MOV     R1, RZ
again:
        MOV     R2, c[0][size]
        CAL     sum
        IADD    R3, R3, -1
        ISETP.ne P0, R3, RZ
        @P0 BRA again
        finish  R1
sum:
        ISETP.eq P0, R2, RZ
        @P0 RET
        IADD    R1, R1, R2
        IADD    R2, R2, -1
        CAL     sum
        RET
        .endkernel
