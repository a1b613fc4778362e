# Even lanes take the branch, odd lanes do not, and they meet again; lanes 20 and up leave at once.
        .kernel branch
        S2R     R0, SR_LANEID;
        ISETP.ge.u32 P0, R0, 20;
  @P0   EXIT;
        LOP.and R1, R0, 1;
        ISETP.eq P1, R1, 0;
        SSY     join;
  @P1   BRA     even;
        MOV     R2, 111;
        SYNC;
even:
        MOV     R2, 222;
        SYNC;
join:
        IADD.CC R3, R2, -222;
        EXIT;
        .endkernel
