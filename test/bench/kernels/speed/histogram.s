# How often each low byte occurs: 256 threads count four words each with atomics in shared memory, then add up in
# global memory.
        .kernel histogram
        .param  ptr data
        .param  ptr counts
        .shared bins, 1024
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        SHL     R2, R0, 2
        STS     [R2+bins], RZ
        LEA     R3, R1, R0, 10
        LEA.CC  R4, R3, c[0][data], 2
        LEA.HI.X R5, R3, c[0][data+4], RZ, 2
        MOV     R7, 1
        BAR.SYNC 0
        .irp    part, 0, 1, 2, 3
        LDG     R6, [R4.64+\part*1024]
        LOP.and R6, R6, 255
        SHL     R6, R6, 2
        ATOMS.add R8, [R6+bins], R7
        .endr
        BAR.SYNC 0
        LDS     R6, [R2+bins]
        IADD.CC R4, R2, c[0][counts]
        IADD.X  R5, RZ, c[0][counts+4]
        RED.add [R4.64], R6
        EXIT
        .endkernel
