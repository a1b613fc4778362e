# Both words of a pair must agree; the type may stand before CAS or after it.
# RUN: %leno-run %s --block 4 --arg out:u32[4]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([7, 8, 0, 0x500])"
  .kernel test
  .param ptr out
  .shared words, 16
  S2R R0, SR_TID.X
  ISETP.eq P0, R0, RZ
  @!P0 EXIT
  MOV R3, 0x500
  STS [12], R3                           # the second pair is 0x500:0
  MOV R4, RZ
  MOV R5, RZ
  MOV R6, 7
  MOV R7, 8
  ATOMS.CAS.u64 R8, [RZ], R4, R6         # 0 -> 8:7
  ATOMS.u64.CAS R8, [RZ+8], R4, R6       # 0x500:0 is not 0
  LDS.128 R12, [RZ]
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  STG.128 [R2.64], R12
  EXIT
  .endkernel
