# A source lane that does not execute gives nothing: the reader keeps its own value and the predicate is false.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 4 == 0, 7, np.where((lane ^ 1) % 4 == 0, lane, lane ^ 1) + 64 * ((lane ^ 1) % 4 != 0))"
  .include "Inputs/lane.inc"
  begin
  LOP.and R1, R0, 3
  ISETP.ne P0, R1, RZ
  MOV R2, 7
  @P0 SHFL.bfly P1, R2, R0, 1, 0x1f
  @P1 IADD R2, R2, 64
  store R2
