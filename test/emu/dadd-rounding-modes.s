# 1 + 2^-60 and -1 - 2^-60 rounded down, up, to nearest and toward zero: lane 0 to 3, and their negatives.
# RUN: %leno-run %s --block 8 --arg out:u64[8]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x3ff0000000000000, 0x3ff0000000000001, 0x3ff0000000000000, 0x3ff0000000000000, 0xbff0000000000001, 0xbff0000000000000, 0xbff0000000000000, 0xbff0000000000000], np.uint64)"
  .include "Inputs/lane.inc"
  begin
  ISETP.ge P0, R0, 4
  MOV32I R3, 0x3ff00000       # 1 in R3:R2
  MOV32I R5, 0x3c300000       # 2^-60 in R5:R4
  @P0 MOV32I R3, 0xbff00000
  @P0 MOV32I R5, 0xbc300000
  LOP.and R1, R0, 3
  ISETP.eq P1, R1, 0
  ISETP.eq P2, R1, 1
  ISETP.eq P3, R1, 2
  ISETP.eq P4, R1, 3
  @P1 DADD.RM R6, R2, R4
  @P2 DADD.RP R6, R2, R4
  @P3 DADD.RN R6, R2, R4
  @P4 DADD.RZ R6, R2, R4
  store64 R6
