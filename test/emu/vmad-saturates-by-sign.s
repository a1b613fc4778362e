# VMAD.SAT of unsigned factors clamps to an unsigned word, of a signed one to a signed word.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.minimum(lane * 0x20000000, 0xffffffff) ^ np.minimum(lane * 0x20000000, 0x7fffffff)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x20000000
  VMAD.SAT R2, R0.U, R1.U, RZ
  VMAD.SAT R3, R0.U, R1, RZ
  LOP.xor R2, R2, R3
  store R2
