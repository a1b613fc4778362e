# ADDRESS: the address of an element, of any size, behind a pointer in a constant or in registers, with a signed or unsigned
# index, also where the pair takes the index's or the pointer's place.
# RUN: %leno-run %s --block 32 --arg out:u32[32768]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.select([(lane < 96) & (lane % 3 == 0), (lane >= 1024) & (lane < 1056), (lane >= 2048) & (lane % 256 == 0) & (lane < 10240), (lane >= 16352) & (lane < 16384)], [lane // 3, lane - 1024, lane // 256 - 8, 16383 - lane], 0)"
  .include "leno/structured.inc"
  .kernel k
  .param ptr out
  .reg at[0:1], R10
  S2R     R0, SR_TID.X
  ADDRESS R4, c[0][out], R0, 12
  STG     [R4.64], R0             # every third word
  ADDRESS R4, c[0][out], RZ, 1
  MOV     at[0], R0
  ADDRESS at[0], R4, at[0], 4     # in the index's place
  STG     [at[0].64+4096], R0
  ADDRESS R6, c[0][out], R0, 4*256
  STG     [R6.64+8192], R0
  INEG    R1, R0
  ADDRESS R4, R4, R1, 4, s32      # in the pointer's place
  MOV     R1, 0
  address R8, R4, R1, 300
  STG     [R8.64+65532], R0
  EXIT
  .endkernel
