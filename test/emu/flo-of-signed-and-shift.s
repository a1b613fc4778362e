# FLO of a signed number looks for a bit unlike the sign; .SH tells the shift; nothing found is all ones.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([(i - 8 if i >= 8 else ~(i - 8)).bit_length() - 1 for i in range(32)]) + np.array([(32 - i.bit_length() if i else -1) * 1000 for i in range(32)])"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, -8
  FLO R2, R1
  FLO.u32.SH R3, R0
  MOV R4, 1000
  IMAD R2, R3, R4, R2
  store R2
