# inf - inf, and a NaN with a payload, leave 0x7fffffff.
# RUN: %leno-run %s --block 2 --arg out:u32[2]:%t.npy
# RUN: %python %tools/expect.py %t.npy "0x7fffffff + 0 * lane"
  .include "Inputs/lane.inc"
  begin
  .shared words, 8
  SHL R2, R0, 2
  MOV32I R3, 0x7f800000
  STS [R2], R3
  MOV32I R4, 0xff800000
  ISETP.eq P0, R0, RZ
  @P0 MOV32I R4, 0xff812345
  ATOMS.add.f32 RZ, [R2], R4
  LDS R1, [R2]
  store R1
