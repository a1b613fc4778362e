# SHA-256 [FIPS 180-4] of many messages, a thread each. The host has padded them to whole blocks of 64 bytes.

        .const  1
        .balign 4
K:      .word   0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5
        .word   0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174
        .word   0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da
        .word   0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967
        .word   0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85
        .word   0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070
        .word   0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3
        .word   0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2

        .kernel sha256
        .param  u32 count
        .param  ptr messages
        .param  ptr first                       # message m: blocks first[m] to first[m + 1] - 1
        .param  ptr digests                     # eight words each, as numbers
        .reg    block, R2
        .reg    end, R3
        .reg    at[0:1], R4
        .reg    hash[0:7], R16
        .reg    state[0:7], R24                 # a to h; they turn: see `letter`
        .reg    w[0:15], R32                    # the last 16 words of the message schedule

        S2R     R0, SR_TID.X;
        S2R     R1, SR_CTAID.X;
        IMAD    R0, R1, c[0][0], R0;            # c[0][0] is NTID.x
        ISETP.ge.u32 P0, R0, c[0][count];
  @P0   EXIT;
        LEA.CC  at[0], R0, c[0][first], 2;
        LEA.HI.X at[1], R0, c[0][first+4], RZ, 2;
        LDG     block, [at[0].64];
        LDG     end, [at[0].64+4];
        MOV32I  hash[0], 0x6a09e667;
        MOV32I  hash[1], 0xbb67ae85;
        MOV32I  hash[2], 0x3c6ef372;
        MOV32I  hash[3], 0xa54ff53a;
        MOV32I  hash[4], 0x510e527f;
        MOV32I  hash[5], 0x9b05688c;
        MOV32I  hash[6], 0x1f83d9ab;
        MOV32I  hash[7], 0x5be0cd19;

# R8 = x rotated right by one, by another, and by a third number, all three combined; the last may be a shift.
        .macro  rotations x, one, another, last, shift=0
        SHF.R.W R9, \x, \one, \x;
        SHF.R.W R10, \x, \another, \x;
        .if     \shift
        SHR.u32 R11, \x, \last;
        .else
        SHF.R.W R11, \x, \last, \x;
        .endif
        LOP3    R8, R9, R10, R11, 0xf0 ^ 0xcc ^ 0xaa;
        .endm

# Round t: what was h becomes a, d becomes e, the others the next letter. Nothing moves: in round t, letter n is
# state[(n - t) & 7].
        .macro  round t
        .if     \t >= 16
        rotations w[(\t + 1) & 15], 7, 18, 3, 1
        IADD    w[\t & 15], w[\t & 15], R8;
        rotations w[(\t + 14) & 15], 17, 19, 10, 1
        IADD    w[\t & 15], w[\t & 15], R8;
        IADD    w[\t & 15], w[\t & 15], w[(\t + 9) & 15];
        .endif
        IADD    R12, state[(7 - \t) & 7], w[\t & 15];
        IADD    R12, R12, c[1][K + 4 * \t];
        rotations state[(4 - \t) & 7], 6, 11, 25
        IADD    R12, R12, R8;
        LOP3    R8, state[(4 - \t) & 7], state[(5 - \t) & 7], state[(6 - \t) & 7], (0xf0 & 0xcc) | (~0xf0 & 0xaa);
        IADD    R12, R12, R8;
        IADD    state[(3 - \t) & 7], state[(3 - \t) & 7], R12;
        rotations state[(0 - \t) & 7], 2, 13, 22
        IADD    R12, R12, R8;
        LOP3    R8, state[(0 - \t) & 7], state[(1 - \t) & 7], state[(2 - \t) & 7], 0xe8;  # the majority
        IADD    state[(7 - \t) & 7], R12, R8;
        .endm

        PBK     done;
blocks: ISETP.ge.u32 P0, block, end;
  @P0   BRK;
        LEA.CC  at[0], block, c[0][messages], 6;
        LEA.HI.X at[1], block, c[0][messages+4], RZ, 6;
        .irp    i, 0, 4, 8, 12
        LDG.128 w[\i], [at[0].64+4*\i];
        .endr
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        PRMT    w[\i], w[\i], 0x0123, RZ;       # a message's words have their highest byte first
        .endr
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        MOV     state[\i], hash[\i];
        .endr
        .set    t, 0
        .rept   64
        round   t
        .set    t, t + 1
        .endr
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        IADD    hash[\i], hash[\i], state[\i];
        .endr
        IADD    block, block, 1;
        BRA     blocks;

done:   LEA.CC  at[0], R0, c[0][digests], 5;
        LEA.HI.X at[1], R0, c[0][digests+4], RZ, 5;
        STG.128 [at[0].64], hash[0];
        STG.128 [at[0].64+16], hash[4];
        EXIT;
        .endkernel
