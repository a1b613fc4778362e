# How many ways n queens stand on a board of n by n squares with none attacking another. Thread y of CTA x puts queens
# into the first two rows, in columns x and y, and counts the rest by recursion: each lane has its own board, calls
# itself for other squares and as deep as it likes, and the divergence stack brings the lanes together again.

        .kernel queens
        .param  u32 rows                        # 2 to 31
        .param  u32 all                         # a bit for each column
        .param  ptr count
        .local  2048                            # 32 bytes for each row
        S2R     R1, SR_LOCAL_SIZE;
        S2R     R2, SR_CTAID.X;
        S2R     R3, SR_TID.X;
        MOV     R5, 1;
        SHL     R10, R5, R2;                    # the first queen
        SHL     R11, R5, R3;                    # the second
        SHL     R6, R10, 1;
        SHR.u32 R7, R10, 1;
        LOP3    R8, R10, R6, R7, 0xf0 | 0xcc | 0xaa;
        LOP.and R8, R8, R11;
        ISETP.ne P0, R8, RZ;
  @P0   EXIT;                                   # she attacks the first
        LOP.or  R5, R10, R11;                   # what both attack in the third row: columns,
        LOP.or  R6, R6, R11;
        SHL     R6, R6, 1;                      # diagonals one way,
        LOP.or  R7, R7, R11;
        SHR.u32 R7, R7, 1;                      # and the other
        MOV     R4, c[0][rows];
        IADD    R4, R4, -2;
        CAL     solve;
        MOV     R2, c[0][count];
        MOV     R3, c[0][count+4];
        RED.add [R2.64], R4;
        EXIT;

# u32 solve(u32 rows left, attacked: columns, one diagonal, the other): see isa/CallingConvention.md.
        .reg    left, R16
        .reg    columns, R17
        .reg    rising, R18
        .reg    falling, R19
        .reg    free, R20
        .reg    sum, R21
solve:  ISETP.eq P0, R4, RZ;
  @P0   MOV     R4, 1;                          # all rows have their queen
  @P0   RET;
        IADD    R1, R1, -32;
        STL.128 [R1], R16;
        STL.64  [R1+16], R20;
        IADD    left, R4, -1;
        MOV     columns, R5;
        MOV     rising, R6;
        MOV     falling, R7;
        LOP3    free, R5, R6, R7, ~(0xf0 | 0xcc | 0xaa) & 0xff;
        LOP.and free, free, c[0][all];
        MOV     sum, RZ;
        PBK     done;
next:   ISETP.eq P0, free, RZ;
  @P0   BRK;
        INEG    R8, free;
        LOP.and R8, R8, free;                   # the lowest free square
        LOP.xor free, free, R8;
        MOV     R4, left;
        LOP.or  R5, columns, R8;
        LOP.or  R6, rising, R8;
        SHL     R6, R6, 1;
        LOP.or  R7, falling, R8;
        SHR.u32 R7, R7, 1;
        CAL     solve;
        IADD    sum, sum, R4;
        BRA     next;
done:   MOV     R4, sum;
        LDL.128 R16, [R1];
        LDL.64  R20, [R1+16];
        IADD    R1, R1, 32;
        RET;
        .endkernel
