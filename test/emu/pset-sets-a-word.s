# PSET.bop0.bop1 Rd, Pp, Pq, Pr: (Pp bop0 Pq) bop1 Pr as a word.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(((lane % 2 == 1) ^ (lane < 20)) | (lane < 3), 0xffffffff, 0) ^ np.where((lane % 2 == 0) & (lane < 20), 0x3f800000, 0)"
  .include "Inputs/lane.inc"
  begin
  LOP.and R1, R0, 1
  ISETP.eq P0, R1, 1
  ISETP.lt P1, R0, 20
  ISETP.lt P2, R0, 3
  PSET.xor.or R2, P0, P1, P2
  PSET.and.BF R3, !P0, P1
  LOP.xor R2, R2, R3
  store R2
