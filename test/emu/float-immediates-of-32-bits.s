# FADD32I, FMUL32I and FFMA32I take a float of 32 bits; FFMA32I rounds once, and its signs are those of product and addend.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.select([lane % 4 == 0, lane % 4 == 1, lane % 4 == 2], [f32(np.float32(0.1) - lane.astype(np.float32)), f32(np.float32(3.14159265) * lane.astype(np.float32)), f32(np.float64(lane) - np.float64(np.float32(0.1)) * lane)], f32(np.where(lane == 31, 1, 0)))"
  .include "Inputs/lane.inc"
  begin
  I2F R1, R0
  LOP.and R2, R0, 3
  ISETP.eq P0, R2, 0
  ISETP.eq P1, R2, 1
  ISETP.eq P2, R2, 2
  FADD32I.FTZ.SAT R4, R1, -29.3
  FMNMX R4, RZ, R4, PT
  F2I R4, R4
  I2F R4, R4
  @P0 FADD32I R4, -R1, 0.1
  @P1 FMUL32I R4, |R1|, 3.14159265
  @P2 MOV R4, R1
  @P2 FFMA32I R4, -R1, 0.1, R4
  store R4
