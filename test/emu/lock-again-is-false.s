# A lane that holds the lock does not get it a second time; after the unlock it does.
# RUN: %leno-run %s --block 32 --arg out:u32[64]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 32, 0b101, 0)"
  .include "Inputs/lane.inc"
  begin
  SHL R4, R0, 2
  IADD.CC R4, R4, c[0][out]
  IADD.X R5, RZ, c[0][out+4]
  LDLK P0, R1, [R4.64+128]
  LDLK P1, R1, [R4.64+128]
  @P0 STUL [R4.64+128], RZ
  LDLK P2, R1, [R4.64+128]
  @P2 STUL [R4.64+128], RZ
  MOV R1, RZ
  @P0 LOP.or R1, R1, 1
  @P1 LOP.or R1, R1, 2
  @P2 LOP.or R1, R1, 4
  store R1
