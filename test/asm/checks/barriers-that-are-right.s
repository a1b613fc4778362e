# Lanes that exit are not waited for; a whole warp may choose; a lane's number shifted right may be the same in all.
# RUN: %leno-as -c %s -o %t.o 2>&1 | count 0
  .kernel test
  S2R R0, SR_TID.X
  ISETP.ge P0, R0, c[0][0x40]
  @P0 BRA gone
  SHR.u32 R1, R0, 5
  ISETP.eq P1, R1, RZ
  @P1 BRA second
  BAR.SYNC 1, 64
  EXIT
second:
  BAR.SYNC 1, 64
  S2R R2, SR_CTAID.X
  ISETP.eq P2, R2, RZ
  @P2 BAR.SYNC 0
  ISETP.lt P3, R0, 64              # whole warps
  @P3 BAR.SYNC 2, 64
  SHL R3, R0, 2
  ISETP.gt P3, R3, 127
  @P3 BAR.SYNC 2
gone:
  EXIT
  .endkernel
