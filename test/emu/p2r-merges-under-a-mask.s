# P2R: P0..P6 in bits 0-6, 7 zero, ZF SF CF OF in 8-11, into a half of a copy of Ra; unselected bits are Ra's.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lambda w: (0xaaaaaaaa & ~0x00ff0000 | (w & 0xff) << 16) & ~0xfc3 & 0xffffffff | w & 0xfc3)(1*(lane < 5) | (lane % 2) << 1 | 0x40 | (lane == 3) << 8 | (lane < 3) << 9 | (lane >= 3) << 10)"
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 5
  LOP.and R1, R0, 1
  ISETP.ne P1, R1, 0
  ISETP.t P6, R0, 0
  MOV R1, 3
  IADD.CC RZ, R0, -R1              # ZF: lane 3; SF: below; CF: 3 and above; OF never
  MOV32I R2, 0xaaaaaaaa
  P2R.hi R3, R2, 0xff              # bit 7 becomes zero
  P2R.lo R3, R3, 0xfc3
  store R3
