# SHFL.idx .up .down .bfly over the whole warp: where the source lane is out of range a lane keeps its own value and the
# predicate is false.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lambda up, down: (100 + 9) + (100 + np.where(up >= 0, up, lane)) * 3 + (100 + np.where(down < 32, down, lane)) * 5 + (100 + (lane ^ 6)) * 7 + 4096 * (1 + 2 * (up >= 0) + 4 * (down < 32) + 8))(lane - 3, lane + 10)"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, 100
  SHFL.idx P0, R2, R1, 9, 0x1f
  SHFL.up P1, R3, R1, 3, 0
  SHFL.down P2, R4, R1, 10, 0x1f
  SHFL.bfly P3, R5, R1, 6, 0x1f
  IMAD R2, R3, 3, R2
  IMAD R2, R4, 5, R2
  IMAD R2, R5, 7, R2
  P2R R6, RZ, 0xf
  SHL R6, R6, 12
  IADD R2, R2, R6
  store R2
