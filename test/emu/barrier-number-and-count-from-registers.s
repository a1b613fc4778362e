# Each pair of warps meets at a barrier of its own, whose number and count are in registers.
# RUN: %leno-run %s --block 128 --arg out:u32[128]:%t.npy --set scheduler.quantum=3
# RUN: %python %tools/expect.py %t.npy "lane ^ 32"
  .include "Inputs/lane.inc"
  begin
  .shared words, 512
  SHL R1, R0, 2
  STS [R1], R0
  S2R R2, SR_WARPID
  SHR R2, R2, 1
  IADD R2, R2, 14               # 14 and 15
  MOV R3, 64
  BAR.SYNC R2, R3
  LOP.xor R1, R1, 128
  LDS R4, [R1]
  BAR.SYNC R2, 64
  BAR.SYNC 7                    # all four
  MOV R3, 128
  BAR.SYNC 7, R3
  store R4
