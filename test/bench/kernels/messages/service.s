# Lane i serves slot i of a channel: it replies with each word of a message plus 1. Of messages that their producer may
# change while they are read it reads the ready value again after each word [S3: 12KT/5].
        .kernel serve
        .param  ptr channel
        .param  u32 slotBytes
        .param  u32 slots
        .param  u32 words
        .param  u32 again
        S2R     R0, SR_TID.X;
        IMUL    R6, R0, c[0][slotBytes];
        IADD    R6, R6, 256;
        IADD    R4, R6, c[0][channel];
        MOV     R5, c[0][slotBytes];
        SHR.u32 R5, R5, 1;
        IADD    R5, R4, R5;
        MOV     R2, c[0][channel];
        IADD    R8, R0, 1;
        ISETP.ne P1, RZ, c[0][again];
poll:   LDG     R10, [R2];
        ISETP.ne P0, R10, RZ;
  @P0   EXIT;
        LDG     R10, [R4];
        ISETP.ne P0, R10, R8;
        SSY     polled;
  @P0   SYNC;
        MOV     R12, c[0][words];
        MOV     R13, R4;
        MOV     R14, R5;
        PBK     done;
word:   IADD    R13, R13, 4;
        IADD    R14, R14, 4;
        LDG     R15, [R13];
  @P1   LDG     R10, [R4];
        IADD    R15, R15, 1;
        STG     [R14], R15;
        IADD    R12, R12, -1;
        ISETP.eq P0, R12, RZ;
  @P0   BRK;
        BRA     word;
done:   STG     [R5], R8;
        IADD    R8, R8, c[0][slots];
        SYNC;
polled: BRA     poll;
        .endkernel

# Reads 64 KiB over and over, each lane a line of its own.
        .kernel load
        .param  ptr buffer
        S2R     R0, SR_TID.X;
        SHL     R0, R0, 7;
        IADD    R0, R0, c[0][buffer];
again:  LDG     R2, [R0];
        BRA     again;
        .endkernel
