# PSETP: Pv uses the complement of Pp, before bop0 [S1].
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 2 == 1, np.where(lane < 16, 2, 1), 0)"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P1, R0, 16
  LOP.and R1, R0, 1
  ISETP.ne P2, R1, RZ
  PSETP.and.or P3, P4, P1, P2, !PT
  MOV R1, 1
  SEL R2, R1, RZ, P3
  SEL R3, R1, RZ, P4
  IMAD R2, R2, 2, R3
  store R2
