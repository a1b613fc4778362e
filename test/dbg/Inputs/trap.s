# Lane 5 stores beyond the buffer.
        .kernel wild
        .param  ptr out
        S2R     R0, SR_LANEID;
        SHL     R1, R0, 2;
        ISETP.eq P0, R0, 5;
        MOV     R3, c[0][out];
        IADD    R2, R3, R1;
  @P0   IADD    R2, R2, 0x1000;
store:
        STG     [R2], R0;
        EXIT;
        .endkernel
