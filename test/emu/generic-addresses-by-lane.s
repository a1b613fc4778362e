# One ST and one LD whose lanes go to global, shared and local memory.
# RUN: %leno-run %s --block 32 --arg out:u32[64]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 32, lane * 3 + 1, np.where((lane - 32) % 3 == 0, (lane - 32) * 3 + 1, 0))"
  .include "Inputs/lane.inc"
  begin
  .shared words, 128
  .local 16
  SHL R2, R0, 2
  IADD.CC R4, R2, c[0][out]       # lanes 0, 3, 6, ...: the upper half of out
  IADD.X R5, RZ, c[0][out+4]
  IADD.CC R4, R4, 128
  IADD.X R5, R5, RZ
  MOV32I R6, 0x55555556           # R6 = lane modulo 3
  IMUL.HI.u32 R6, R0, R6
  IMUL R6, R6, 3
  IADD R6, R0, -R6
  ISETP.eq P1, R6, 1
  ISETP.eq P2, R6, 2
  S2R R7, SR_SHARED_BASE
  S2R R8, SR_LOCAL_BASE
  @P1 MOV R4, R2                  # shared: a word for each lane
  @P1 SHR.u32 R5, R7, 16
  @P2 MOV R4, 8                   # local: the same address
  @P2 SHR.u32 R5, R8, 16
  IMUL R9, R0, 3
  IADD R9, R9, 1
  ST [R4.64], R9
  LD R10, [R4.64]
  @P1 LDS R11, [R2]               # the same bytes without the window
  @P2 LDL R11, [8]
  PSETP.or.or P3, P4, P1, P2, !PT
  @P3 MOV R10, R11
  store R10
