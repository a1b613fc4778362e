# The Mandelbrot set, one pixel a thread. Lanes leave the loop after different numbers of turns: BRK makes each wait
# until the whole warp is done, and the pre-break PBK says where they go on together.

        .kernel mandelbrot
        .param  u32 width
        .param  u32 height
        .param  u32 limit                       # turns after which a point counts as inside
        .param  f32 left
        .param  f32 top
        .param  f32 step                        # distance of two pixels
        .param  ptr image                       # u8[height, width]

        S2R     R0, SR_CTAID.X;
        S2R     R1, SR_NTID.X;
        S2R     R2, SR_TID.X;
        IMAD    R0, R0, R1, R2;                 # column
        S2R     R1, SR_CTAID.Y;
        S2R     R2, SR_NTID.Y;
        S2R     R3, SR_TID.Y;
        IMAD    R1, R1, R2, R3;                 # row
        ISETP.lt.u32 P0, R0, c[0][width];
        ISETP.lt.u32.and P0, R1, c[0][height], P0;
  @!P0  EXIT;

        I2F.u32 R4, R0;
        I2F.u32 R5, R1;
        FMUL    R4, R4, c[0][step];
        FADD    R4, R4, c[0][left];             # c = R4 + i R5
        FMUL    R5, R5, c[0][step];
        FADD    R5, R5, c[0][top];
        MOV     R6, RZ;                         # z = R6 + i R7
        MOV     R7, RZ;
        MOV     R8, RZ;                         # turns

        PBK     done;
loop:
        FMUL    R9, R6, R6;
        FMUL    R10, R7, R7;
        FADD    R11, R9, R10;
        FSETP.gt P1, R11, 4.0;
  @P1   BRK;                                    # |z| > 2: the point escapes
        ISETP.ge.u32 P1, R8, c[0][limit];
  @P1   BRK;
        FMUL    R11, R6, R7;
        FADD    R6, R9, -R10;
        FADD    R6, R6, R4;                     # z = z * z + c
        FADD    R11, R11, R11;
        FADD    R7, R11, R5;
        IADD    R8, R8, 1;
        BRA     loop;
done:
        ISETP.eq.u32 P1, R8, c[0][limit];
        SHL     R9, R8, 3;                      # bands of brightness outside
        LOP.and R9, R9, 255;
        SEL     R9, RZ, R9, P1;                 # black inside

        IMAD    R10, R1, c[0][width], R0;
        IADD.CC R10, R10, c[0][image];
        IADD.X  R11, RZ, c[0][image+4];
        STG.u8  [R10.64], R9;
        EXIT;
        .endkernel
