# With barrier.divergent=count some lanes arrive for their whole warp; the others come later, when those have gone on.
# RUN: %leno-run %s --block 64 --arg out:u32[64]:%t.npy --set barrier.divergent=count
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 32 < 8, 16, 48)"
  .include "Inputs/lane.inc"
  begin
  S2R R1, SR_LANEID
  ISETP.lt P0, R1, 8
  SSY join
  @P0 BRA few
  BAR.RED.POPC R2, 1, PT        # 24 lanes of each warp
  SYNC
few:
  BAR.RED.POPC R2, 1, PT        # 8 lanes of each
  SYNC
join:
  store R2
