# The product of two matrices, tile by tile. A CTA of 16 x 16 threads makes a tile of the product, a thread one element:
# the CTA loads a tile of each factor into shared memory, where each element is read 16 times, and goes on to the next
# two. Outside of the factors a tile has zeros.

        .set    tile, 16

        .kernel matmul
        .param  u32 rows                        # of the left factor and the product
        .param  u32 inner                       # columns of the left factor, rows of the right one
        .param  u32 columns
        .param  ptr left                        # f32, row by row
        .param  ptr right
        .param  ptr product
        .shared leftTile, tile * tile * 4
        .shared rightTile, tile * tile * 4
        .reg    x, R0
        .reg    y, R1
        .reg    row, R2
        .reg    column, R3
        .reg    sum, R4
        .reg    k, R5                           # where the two tiles begin
        .reg    own, R6                         # what this thread stores of either tile, in bytes
        .reg    rowOfTile, R7                   # the row and column that it multiplies
        .reg    columnOfTile, R8
        .pred   inRows, P0
        .pred   inColumns, P1

        S2R     x, SR_TID.X;
        S2R     y, SR_TID.Y;
        S2R     R10, SR_CTAID.Y;
        IMAD    row, R10, tile, y;
        S2R     R10, SR_CTAID.X;
        IMAD    column, R10, tile, x;
        ISETP.lt.u32 inRows, row, c[0][rows];
        ISETP.lt.u32 inColumns, column, c[0][columns];
        SHL     columnOfTile, x, 2;
        IMUL    rowOfTile, y, tile * 4;
        IADD    own, rowOfTile, columnOfTile;
        MOV     sum, RZ;
        MOV     k, RZ;

tiles:  IADD    R10, k, x;                      # left[row][k + x]
        ISETP.lt.u32.and P2, PT, R10, c[0][inner], inRows;
        IMAD    R10, row, c[0][inner], R10;
        LEA.CC  R12, R10, c[0][left], 2;
        LEA.HI.X R13, R10, c[0][left+4], RZ, 2;
        MOV     R14, RZ;
  @P2   LDG     R14, [R12.64];
        STS     [own+leftTile], R14;
        IADD    R10, k, y;                      # right[k + y][column]
        ISETP.lt.u32.and P2, PT, R10, c[0][inner], inColumns;
        IMAD    R10, R10, c[0][columns], column;
        LEA.CC  R12, R10, c[0][right], 2;
        LEA.HI.X R13, R10, c[0][right+4], RZ, 2;
        MOV     R14, RZ;
  @P2   LDG     R14, [R12.64];
        STS     [own+rightTile], R14;
        BAR.SYNC 0;                             # both tiles are there

        .set    i, 0
        .rept   tile
        LDS     R10, [rowOfTile+leftTile+i*4];
        LDS     R11, [columnOfTile+rightTile+i*tile*4];
        FFMA    sum, R10, R11, sum;
        .set    i, i + 1
        .endr
        BAR.SYNC 0;                             # nobody reads them any more
        IADD    k, k, tile;
        ISETP.lt.u32 P2, k, c[0][inner];
  @P2   BRA.U   tiles;

        PSETP.and P2, PT, inRows, inColumns;
  @!P2  EXIT;
        IMAD    R10, row, c[0][columns], column;
        LEA.CC  R12, R10, c[0][product], 2;
        LEA.HI.X R13, R10, c[0][product+4], RZ, 2;
        STG     [R12.64], sum;
        EXIT;
        .endkernel
