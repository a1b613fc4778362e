# PRMT.F4E and its kin pick by the low two bits of the selector.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([sum(((lambda m, s, k: [s + k, (s - k) % 8, s, max(s, k), min(s, k), s % 2 * 2 + k % 2][m])(i // 4 % 6, i % 4, k) + 1) << 8 * k for k in range(4)) for i in range(32)])"
  .include "Inputs/lane.inc"
  begin
  .macro mode number, name
  PRMT.\name R5, R1, R0, R2
  ISETP.eq P0, R3, \number
  @P0 MOV R4, R5
  .endm
  MOV R1, 0x04030201
  MOV R2, 0x08070605
  SHR R3, R0, 2
  mode 0, F4E
  mode 1, B4E
  mode 2, RC8
  mode 3, ECL
  mode 4, ECR
  mode 5, RC16
  mode 6, F4E
  mode 7, B4E
  store R4
