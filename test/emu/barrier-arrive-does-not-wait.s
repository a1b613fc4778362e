# BAR.ARV counts its warp and lets it go on: three producers have exited when the consumer comes to the barrier.
# RUN: %leno-run %s --block 128 --arg out:u32[128]:%t.npy --set scheduler.quantum=7
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 32, (lane + 32) + (lane + 64) + (lane + 96), lane)"
  .include "Inputs/lane.inc"
  begin
  .shared words, 512
  SHL R2, R0, 2
  S2R R1, SR_WARPID
  ISETP.eq P0, R1, 0
  @P0 BRA consume
  STS [R2], R0
  BAR.ARV 5, 128
  BRA store_
consume:
  BAR.SYNC 5, 128
  LDS R3, [R2+128]
  LDS R4, [R2+256]
  LDS R5, [R2+384]
  IADD R3, R3, R4
  IADD R3, R3, R5
  MOV R6, R0
  BRA both
store_:
  MOV R3, R0
both:
  store R3
