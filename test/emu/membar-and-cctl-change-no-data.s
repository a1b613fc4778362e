# Order and caches: nothing a program can see changes, and a hint's address is not judged.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane + 1"
  .include "Inputs/lane.inc"
  begin
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  IADD R1, R0, 1
  CCTL.PF [R2.64+1000000]
  CCTL.IV [RZ]
  CCTL.WB [R2.64+1]
  CCTL.RS [R2.64]
  MEMBAR.CTA
  MEMBAR.GL
  MEMBAR.SYS
  store R1
