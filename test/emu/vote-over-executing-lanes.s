# VOTE reduces over the active lanes whose guard is true.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 8, 0xff, 0xff00) + 1"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 8
  ISETP.lt P1, R0, 16
  MOV R1, RZ
  @P0 VOTE.all R2, P2, P1
  @!P0 VOTE.any R2, P2, P1
  MOV R3, 1
  SEL R3, R3, RZ, P2
  IADD R1, R2, R3
  store R1
