# IMNMX: a false predicate gives the minimum, a true one the maximum; IMIN and IMAX fix it.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 8, np.maximum(lane - 20, -3), np.minimum(lane - 20, -3)) + np.minimum(lane, 4) * 1000 + np.maximum(lane, 29) * 100000"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 8
  IADD R2, R0, -20
  IMNMX R3, R2, -3, P0
  IMIN R4, R0, 4
  IMAX.u32 R5, R0, 29
  MOV R6, 1000
  IMAD R3, R4, R6, R3
  MOV R6, 100000
  IMAD R3, R5, R6, R3
  store R3
