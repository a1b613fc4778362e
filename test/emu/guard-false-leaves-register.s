# A lane whose guard is false keeps its register.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane >= 10, 1, 7 + lane)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 7
  ISETP.ge P0, R0, 10
  @P0 MOV R1, 1
  @!P0 IADD R1, R1, R0
  store R1
