# Odd lanes alone count; the others keep their register.
# RUN: %leno-run %s --block 32 --arg out:u32[33]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane == 32, 16 * 5, np.where(lane % 2 == 1, lane // 2 * 5, 77))"
  .include "Inputs/lane.inc"
  begin
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  LOP.and R4, R0, 1
  ISETP.ne P0, R4, RZ
  MOV R1, 77
  MOV R5, 5
  @P0 ATOM.add R1, [R2.64+128], R5
  store R1
