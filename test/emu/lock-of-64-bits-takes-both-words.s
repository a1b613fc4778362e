# The lock of a pair is that of both words, or none; neighbours are free.
# RUN: %leno-run %s --block 3 --arg out:u32[3]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([1, 0, 1])"
  .include "Inputs/lane.inc"
  begin
  .shared words, 16
  ISETP.eq P3, R0, RZ
  ISETP.eq P4, R0, 1
  ISETP.eq P5, R0, 2
  @P3 LDSLK P0, R2, [RZ+4]        # lane 0: the word at 4
  @P4 LDSLK.64 P0, R2, [RZ]       # lane 1: those at 0 and 4
  @P5 LDSLK P0, R2, [RZ]          # lane 2: the word at 0, which lane 1 has not taken
  MOV R1, RZ
  @P0 MOV R1, 1
  @P3 STSUL [RZ+4], R2
  @P5 STSUL [RZ], R2
  store R1
