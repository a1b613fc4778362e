# Pv = (!t) bop Pp is not the complement of Pu [S1].
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 8, 0, np.where(lane > 20, 2, 1))"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P1, R0, 8
  ISETP.gt.and P2, P3, R0, 20, !P1
  MOV R1, 1
  SEL R2, R1, RZ, P2
  SEL R3, R1, RZ, P3
  IMAD R2, R2, 2, R3
  store R2
