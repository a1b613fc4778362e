# Bits 8-12 of c cut the warp in segments, bits 0-4 clamp (PTX: shfl); b and c may be registers that differ between lanes.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lambda s, b: np.where(lane % 8 + 3 <= 5, lane + 3, lane) + 100 * np.where(lane % 8 >= 2, lane - 2, lane) + 10000 * (s + (b & (31 - np.where(lane < 16, 24, 28)))))(lane & np.where(lane < 16, 24, 28), lane * 5 % 32)"
  .include "Inputs/lane.inc"
  begin
  SHFL.down R1, R0, 3, 0x1805      # segments of 8, of which lanes 0..5 take part
  SHFL.up R2, R0, 2, 0x1800
  IMAD R1, R2, 100, R1
  IMUL R3, R0, 5                   # b: bits above the fifth have no effect
  MOV32I R4, 0xffff181f
  MOV32I R5, 0x1c1f
  ISETP.lt P0, R0, 16
  SEL R4, R4, R5, P0               # c: segments of 8 in lanes 0..15, of 4 above
  SHFL.idx R2, R0, R3, R4
  IMAD R1, R2, 10000, R1
  store R1
