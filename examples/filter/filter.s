# A separable 2-D image filter in shared memory, the example S4 itself gives: each CTA loads its tile and a border around
# it, filters the rows, meets at a barrier, and filters the columns. The weights 1 6 15 20 15 6 1 (a sum of 64) are those
# of a Gaussian blur; pixels outside the image repeat its edge.
#
# Launch: block 16,16; grid ceil(width/16), ceil(height/16), channels.

        .set    tile, 16
        .set    radius, 3
        .set    side, tile + 2*radius           # 22

        .macro  clamp value, most               # value = min(max(value, 0), most)
        ISETP.lt P2, \value, RZ;
        SEL     \value, RZ, \value, P2;
        ISETP.gt P2, \value, \most;
        SEL     \value, \most, \value, P2;
        .endm

        # sum += weight * what stands at address + at*stride, for the seven taps
        .macro  taps load, stride, address, base, sum, scratch
        MOV     \sum, RZ;
        .set    at, 0
        .irp    weight, 1, 6, 15, 20, 15, 6, 1
        \load   \scratch, [\address+\base+at*\stride];
        IMAD    \sum, \scratch, \weight, \sum;
        .set    at, at + 1
        .endr
        .endm

        .kernel filter
        .param  u32 width
        .param  u32 height
        .param  u32 channels                    # interleaved: 1 grey, 3 colour
        .param  ptr source                      # u8[height, width, channels]
        .param  ptr result
        .shared pixels, side*side               # u8[side, side]: the tile and its border
        .shared rows, side*tile*4               # u32[side, tile]: the rows, filtered

        S2R     R0, SR_TID.X;
        S2R     R1, SR_TID.Y;
        S2R     R2, SR_CTAID.X;
        S2R     R3, SR_CTAID.Y;
        S2R     R4, SR_CTAID.Z;                 # the channel
        SHL     R2, R2, 4;                      # the tile's corner in the image
        SHL     R3, R3, 4;
        IMAD    R5, R1, tile, R0;               # this thread's number, 0..255
        IADD    R6, RZ, c[0][width];
        IADD    R6, R6, -1;                     # last column
        IADD    R7, RZ, c[0][height];
        IADD    R7, R7, -1;                     # last row

        # Load side*side pixels with 256 threads.
        MOV     R8, R5;
        PBK     loaded;
load:
        ISETP.ge.u32 P0, R8, side*side;
  @P0   BRK;
        IMUL    R9, R8, 2979;                   # R8 / 22, exact below 22 * 22
        SHR.u32 R9, R9, 16;                     # y in the tile
        IMUL    R10, R9, side;
        IADD    R10, R8, -R10;                  # x in the tile
        IADD    R9, R9, R3;
        IADD    R10, R10, R2;
        IADD    R9, R9, -radius;
        IADD    R10, R10, -radius;
        clamp   R9, R7
        clamp   R10, R6
        IMAD    R9, R9, c[0][width], R10;
        IMAD    R9, R9, c[0][channels], R4;
        IADD.CC R12, R9, c[0][source];
        IADD.X  R13, RZ, c[0][source+4];
        LDG.u8  R11, [R12.64];
        STS.u8  [R8+pixels], R11;
        IADD    R8, R8, tile*tile;
        BRA     load;
loaded:
        BAR.SYNC 0;

        # Rows: side*tile sums.
        MOV     R8, R5;
        PBK     rowsDone;
row:
        ISETP.ge.u32 P0, R8, side*tile;
  @P0   BRK;
        SHR.u32 R9, R8, 4;
        LOP.and R10, R8, tile-1;
        IMAD    R9, R9, side, R10;              # the leftmost tap
        taps    LDS.u8, 1, R9, pixels, R10, R11
        SHL     R9, R8, 2;
        STS     [R9+rows], R10;
        IADD    R8, R8, tile*tile;
        BRA     row;
rowsDone:
        BAR.SYNC 0;

        # Columns: one pixel a thread.
        IADD    R2, R2, R0;
        IADD    R3, R3, R1;
        ISETP.lt.u32 P0, R2, c[0][width];
        ISETP.lt.u32.and P0, R3, c[0][height], P0;
  @!P0  EXIT;                                   # the tile hangs over the image's edge
        SHL     R9, R5, 2;
        taps    LDS, tile*4, R9, rows, R10, R11
        IADD    R10, R10, 2048;                 # round to nearest: the weights' sum is 64 * 64
        SHR.u32 R10, R10, 12;
        IMAD    R9, R3, c[0][width], R2;
        IMAD    R9, R9, c[0][channels], R4;
        IADD.CC R12, R9, c[0][result];
        IADD.X  R13, RZ, c[0][result+4];
        STG.u8  [R12.64], R10;
        EXIT;
        .endkernel
