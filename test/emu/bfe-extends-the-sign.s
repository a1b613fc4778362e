# BFE extracts a field of four bits, signed or not.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([((0xfedcba98 >> i & 15) ^ 8) - 8 if i <= 28 else (0xfedcba98 >> i) - (1 << (32 - i)) for i in range(32)]) + np.array([(0xfedcba98 >> i & 15) << 8 for i in range(32)])"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0xfedcba98
  IADD R2, R0, 0x0400
  BFE R3, R1, R2
  BFE.u32 R4, R1, R2
  ISCADD R3, R4, R3, 8
  store R3
