# The windows of generic addresses, and how much is behind them.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.choose(lane % 4, [0xff0000, 96, 0xfe0000, 48])"
  .include "Inputs/lane.inc"
  begin
  .shared words, 96
  .local 48
  S2R R1, SR_SHARED_BASE
  LOP.and R2, R0, 3
  ISETP.eq P1, R2, 1
  ISETP.eq P2, R2, 2
  ISETP.eq P3, R2, 3
  @P1 S2R R1, SR_SHARED_SIZE
  @P2 S2R R1, SR_LOCAL_BASE
  @P3 S2R R1, SR_LOCAL_SIZE
  store R1
