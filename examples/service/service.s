# A persistent kernel that serves requests of host threads (leno/Messages.h): lane i of the grid serves slot i of the
# channel. A request is a remote procedure call; its first word is the handle of a routine:
#   0  look up the key in word 1: the reply is 1 and its value, or 0 when there is no such key
#   1  sum of the words of the message, each times its place, from 1: the sum of another order differs
# The table is open-addressed: pairs of key and value, 2^n of them, key 0 for none. Where a key belongs is its product with
# 0x9e3779b1, of that the bits from 12 on.
        .kernel serve
        .param  ptr channel
        .param  u32 slotBytes
        .param  u32 slots
        .param  u32 words
        .param  ptr table
        .param  u32 tableMask           # pairs, less 1
        S2R     R0, SR_TID.X;
        S2R     R1, SR_CTAID.X;
        IMAD    R0, R1, c[0][0], R0;    # which slot; c[0][0] is NTID.x
        ISETP.ge.u32 P0, R0, c[0][slots];
  @P0   EXIT;
        IMUL    R6, R0, c[0][slotBytes];
        IADD    R6, R6, 0x100;
        IADD.CC R4, R6, c[0][channel];  # R5:R4 the request
        IADD.X  R5, RZ, c[0][channel+4];
        MOV     R7, c[0][slotBytes];
        SHR.u32 R7, R7, 1;
        IADD.CC R6, R4, R7;             # R7:R6 the reply
        IADD.X  R7, R5, RZ;
        MOV     R2, c[0][channel];
        MOV     R3, c[0][channel+4];
        IADD    R8, R0, 1;              # the number of the message to come

poll:   LDG.cv  R10, [R2.64];          # .cv asks memory each time: the host writes meanwhile
        ISETP.ne P0, R10, RZ;
  @P0   EXIT;
        LDG.cv  R10, [R4.64];           # the ready value
        ISETP.ne P0, R10, R8;
        SSY     polled;
  @P0   SYNC;
        LDG.cv  R11, [R4.64+4];         # the message, another one each time
        SSY     served;
        ISETP.eq P1, R11, RZ;
  @P1   BRA     lookUp;

        MOV     R12, RZ;                # sum: R12 the place, R13 the sum, R15:R14 the word
        MOV     R13, RZ;
        MOV     R14, R4;
        MOV     R15, R5;
        PBK     summed;
addOne: IADD    R12, R12, 1;
        IADD.CC R14, R14, 4;
        IADD.X  R15, R15, RZ;
        LDG.cv  R16, [R14.64];
        IMAD    R13, R16, R12, R13;
        ISETP.ge.u32 P1, R12, c[0][words];
  @P1   BRK;
        BRA     addOne;
summed: STG     [R6.64+4], R13;
        SYNC;

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
        STG     [R6.64+4], R18;
        STG     [R6.64+8], R17;
        SYNC;

served: STG     [R6.64], R8;            # the reply's ready value, last
        IADD    R8, R8, c[0][slots];
        SYNC;
polled: BRA     poll;
        .endkernel
