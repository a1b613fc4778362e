# Pairs of words that lanes find in a hash table, each after as many probes as it takes: the same on both tiers, and what
# the table says.
# REQUIRES: compiled
# RUN: %python %S/Inputs/lookups.py %leno-run %s %t
        .kernel lookups
        .param  ptr keys
        .param  ptr table
        .param  ptr out
        .param  u32 tableMask
        S2R     R0, SR_TID.X;
        SHL     R4, R0, 6;
        IADD.CC R4, R4, c[0][keys];
        IADD.X  R5, RZ, c[0][keys+4];
        SHL     R6, R0, 3;
        IADD.CC R6, R6, c[0][out];
        IADD.X  R7, RZ, c[0][out+4];
        MOV     R20, RZ
again:
        SSY     served
lookUp: LDG.cv  R12, [R4.64+8];         # the key
        MOV32I  R13, 0x9e3779b1;
        IMUL    R13, R12, R13;
        SHR.u32 R13, R13, 12;
        PBK     looked;
probe:  LOP.and R13, R13, c[0][tableMask];
        SHL     R14, R13, 3;
        IADD.CC R14, R14, c[0][table];
        IADD.X  R15, RZ, c[0][table+4];
        LDG.64  R16, [R14.64];          # key and value
        ISETP.eq P1, R16, R12;
        ISETP.eq.or P2, PT, R16, RZ, P1; # or none
  @P2   BRK;
        IADD    R13, R13, 1;
        BRA     probe;
looked: ISETP.eq P1, R16, R12;
        SEL     R18, RZ, 1, !P1;
        SEL     R17, R17, RZ, P1;       # 0 for none
        STG     [R6.64], R18;
        STG     [R6.64+4], R17;
        SYNC;
served: IADD R20, R20, 1
        ISETP.lt P0, R20, 3
  @P0   BRA again
        EXIT
        .endkernel
