# Lane l sums the numbers up to l in a loop; names for registers; a value in shared memory by a generic address.
        .kernel sums
        .param  ptr out
        .shared slots, 128
        .reg    id, R0
        .reg    acc, R4
        .reg    m[0:3], R8
        .pred   more, P1
        S2R     id, SR_LANEID;
        MOV     acc, 0;
        MOV     m[0], id;
        MOV     m[1], 10;
        SHL     m[2], id, 2;
        STS     [m[2]], id;
        PBK     done;
loop:
        IADD    acc, acc, m[0];
        IADD    m[0], m[0], -1;
        ISETP.gt more, m[0], 0;
  @!more BRK;
        BRA     loop;
done:
        STS     [m[2]+slots], acc;
        SHL     R1, id, 2;
        IADD    R1, R1, c[0][out];
        STG     [R1], acc;
        EXIT;
        .endkernel
