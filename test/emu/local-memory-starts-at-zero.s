# Also in the place of a CTA that has left its own there: 64 CTAs on one multiprocessor.
# RUN: %leno-run %s --grid 64 --block 32 --set sm.count=1 --arg out:u32[2048]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0 * lane"
  .kernel test
  .param ptr out
  .local 16
  S2R R0, SR_TID.X
  S2R R1, SR_CTAID.X
  SHL R1, R1, 5
  IADD R0, R0, R1
  SHL R2, R0, 2
  IADD.CC R2, R2, c[0][out]
  IADD.X R3, RZ, c[0][out+4]
  LDL R4, [12]
  STG [R2.64], R4
  MOV R5, -1
  STL [12], R5
  EXIT
  .endkernel
