# IDP.4A and IDP.2A: pixels (bytes of 224 to 255) by weights; what is signed is told of each factor, and .SAT clamps a
# sum that leaves the word, signed or unsigned.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "-512 * (224 + lane) + 2 * -32640 * (224 + lane) + np.minimum(0x7fffdfff + 512 * (32 - lane), 0x7fffffff) + np.minimum(0xfffe1fff + 512 * (224 + lane), 0xffffffff)"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, 224
  MOV32I R2, 0x01010101
  IMUL R1, R1, R2                           # the pixel in each byte
  MOV32I R2, 0x80808080
  IDP.4A.us32 R3, R1, R2, RZ                # weights of -128
  IDP.2A.HI.su32 R3, R2, R1, R3             # halves of -32640 by the upper two pixels
  MOV32I R4, 0x7fffdfff
  IDP.4A.SAT R4, R1, R2, R4                 # as signed bytes the pixels are -32 to -1
  MOV32I R5, 0xfffe1fff
  IDP.4A.u32.SAT R5, R1, R2, R5             # weights of 128
  IADD R3, R3, R4
  IADD R3, R3, R5
  store R3
