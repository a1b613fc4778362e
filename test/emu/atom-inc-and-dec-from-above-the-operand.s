# A value that is past the operand already: inc gives 0, dec gives the operand.
# RUN: %leno-run %s --block 2 --arg out:u32[2]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0, 9])"
  .include "Inputs/lane.inc"
  begin
  .shared words, 8
  SHL R2, R0, 2
  MOV R3, -1
  STS [R2], R3
  MOV R4, 9
  ISETP.eq P0, R0, RZ
  @P0 ATOMS.inc RZ, [R2], R4
  @!P0 ATOMS.dec RZ, [R2], R4
  LDS R1, [R2]
  store R1
