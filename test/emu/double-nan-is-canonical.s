# A NaN with a payload, infinity - infinity, 0 * infinity, and an FMA of a NaN give the one NaN.
# RUN: %leno-run %s --block 4 --arg out:u64[4]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.full(4, 0x7fffffffffffffff, np.uint64)"
  .include "Inputs/lane.inc"
  begin
  MOV32I R2, 0x12345
  MOV32I R3, 0xfff00000
  MOV32I R5, 0x7ff00000
  ISETP.eq P0, R0, 0
  ISETP.eq P1, R0, 1
  ISETP.eq P2, R0, 2
  ISETP.eq P3, R0, 3
  @P0 DADD R6, R2, 1.0
  @P1 DADD R6, R4, -R4
  @P2 DMUL R6, RZ, R4
  @P3 DFMA R6, R4, R4, R2
  store64 R6
