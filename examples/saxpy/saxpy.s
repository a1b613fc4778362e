# y = a * x + y, one element a thread: the "hello world" of parallel machines.
#
#   leno-run saxpy.s --grid 4 --block 256 --arg u32:1000 --arg f32:2 --arg in:x.npy --arg inout:y.npy:result.npy

        .kernel saxpy
        .param  u32 n
        .param  f32 a
        .param  ptr x
        .param  ptr y

        S2R     R0, SR_CTAID.X;
        S2R     R1, SR_NTID.X;
        S2R     R2, SR_TID.X;
        IMAD    R0, R0, R1, R2;                 # i: this thread's element
        ISETP.ge.u32 P0, R0, c[0][n];           # a parameter's name is its offset
  @P0   EXIT;                                   # the last CTA may be only partly needed

        SHL     R1, R0, 2;                      # 4 bytes an element
        IADD.CC R2, R1, c[0][x];                # R3:R2 = &x[i], a 64-bit address in two words
        IADD.X  R3, RZ, c[0][x+4];
        IADD.CC R4, R1, c[0][y];
        IADD.X  R5, RZ, c[0][y+4];
        LDG     R6, [R2.64];
        LDG     R7, [R4.64];
        FFMA    R6, R6, c[0][a], R7;            # rounded once
        STG     [R4.64], R6;
        EXIT;
        .endkernel
