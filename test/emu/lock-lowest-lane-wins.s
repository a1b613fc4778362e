# Four lanes want each lock: the lowest of them gets it, all get the value.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 4 == 0, 1000, 0) + 7"
  .include "Inputs/lane.inc"
  begin
  .shared words, 32
  MOV R9, 7
  SHR.u32 R2, R0, 2
  SHL R2, R2, 2
  STS [R2], R9
  MOV R3, RZ
  LDSLK P0, R1, [R2]
  @P0 MOV R3, 1000
  @P0 STSUL [R2], R3
  IADD R1, R1, R3
  store R1
