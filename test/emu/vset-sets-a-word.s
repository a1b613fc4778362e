# VSET sets all ones or 1.0f where the test of two parts holds.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane > 9, 0xffffffff, 0) ^ np.where((lane - 16 == -3) | (lane == 4), f32(1.0), 0)"
  .include "Inputs/lane.inc"
  begin
  SHL R1, R0, 16
  MOV R2, 9
  VSET.gt R3, R1.UH1, R2
  IADD R4, R0, -16
  ISETP.eq P2, R0, 4
  VSET.eq.or.BF R5, R4.B0, -3, P2
  LOP.xor R3, R3, R5
  store R3
