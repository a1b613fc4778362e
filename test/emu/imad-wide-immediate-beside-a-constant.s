# IMAD.WIDE takes an immediate from -256 to 255 beside a constant pair: the address of an element in one instruction. .us32
# takes it signed beside an unsigned index.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane * 255"
  .kernel k
  .param ptr out
  S2R R0, SR_TID.X
  MOV R1, 255
  IMUL R1, R0, R1
  MOV R3, 31
  IADD R3, R3, -R0
  IMAD.WIDE.us32 R4, R3, -4, c[0][out]
  IADD.CC R4, R4, 124
  IADD.X R5, R5, 0
  IMAD.WIDE.u32 R2, R0, 4, c[0][out]
  IADD R6, R2, -R4
  IADD R1, R1, R6                 # 0
  STG [R2.64], R1
  EXIT
  .endkernel
