# BAR.RED.AND and .OR tell all warps of one thread that differs; the second barrier starts from nothing.
# RUN: %leno-run %s --block 96 --arg out:u32[96]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0b0110"
  .include "Inputs/lane.inc"
  begin
  ISETP.ne P0, R0, 70
  BAR.RED.AND P1, 0, P0         # false: thread 70 has none
  BAR.RED.OR  P2, 0, !P0        # true: thread 70
  BAR.RED.AND P3, 0, PT         # true
  BAR.RED.OR  P4, 0, !PT        # false
  MOV R1, RZ
  @P1 LOP.or R1, R1, 8
  @P2 LOP.or R1, R1, 4
  @P3 LOP.or R1, R1, 2
  @P4 LOP.or R1, R1, 1
  store R1
