# SHF.L gives the high word of a left shift of c:a, SHF.R the low word of a right shift; amounts clamp at 32.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([(0x89abcdef01234567 << i >> 32) & 0xffffffff for i in range(32)])"
  .include "Inputs/lane.inc"
  begin
  MOV R1, 0x01234567
  MOV R2, 0x89abcdef
  SHF.L R3, R1, R0, R2
  store R3
