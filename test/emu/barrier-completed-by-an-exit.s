# A warp that ends, by EXIT or KIL, while all others wait completes their barrier; a reduction does without it.
# RUN: %leno-run %s --block 128 --arg out:u32[128]:%t.npy --set scheduler.quantum=1
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 64, 64, 0)"
  .include "Inputs/lane.inc"
  begin
  S2R R1, SR_WARPID
  ISETP.eq P2, R1, 2
  ISETP.eq P3, R1, 3
  NOP
  NOP
  @P2 EXIT
  NOP
  @P3 KIL
  BAR.RED.POPC R2, 0, PT
  store R2
