# BAR.SYNC with a count waits for as many threads, and not for the others.
# RUN: %leno-run %s --block 128 --arg out:u32[128]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 64, 63 - lane, 7)"
  .include "Inputs/lane.inc"
  begin
  .shared words, 512
  S2R R1, SR_WARPID
  ISETP.ge P0, R1, 2
  @P0 BRA out_
  SHL R2, R0, 2
  STS [R2], R0
  BAR.SYNC 1, 64
  LOP.xor R2, R0, 63
  SHL R2, R2, 2
  LDS R0, [R2]
  S2R R3, SR_TID.X
  MOV R4, R0
  MOV R0, R3
  BRA store_
out_:
  MOV R4, 7
store_:
  store R4
