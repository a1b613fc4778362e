# ISET writes all ones where the test holds and 0 where not; with .BF 1.0f and 0.0f. Other lanes keep their value.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 2, 0xffffffff * (lane < 7), 5) ^ 0x3f800000 * (lane > 20)"
  .include "Inputs/lane.inc"
  begin
  LOP.and R1, R0, 1
  ISETP.eq P0, R1, 1
  MOV R2, 5
  @P0 ISET.lt R2, R0, 7
  ISET.gt.BF R3, R0, 20
  LOP.xor R2, R2, R3
  store R2
