# R2P writes the predicates and flags that the mask selects, which may differ between lanes; the rest keep their value.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(lambda m: (0xa5a & m | 0x041 & ~m) & 0xf7f)(np.where(lane % 2, 0x70f | (lane & 0xf0) << 4, 0) | 0xfff * (lane == 20)) * (lane != 30) + 0x041 * (lane == 30)"
  .include "Inputs/lane.inc"
  begin
  ISETP.eq P0, RZ, RZ
  ISETP.eq P6, RZ, RZ
  LOP.and R1, R0, 1
  ISETP.ne P1, R1, RZ
  LOP.and R2, R0, 0xf0
  SHL R2, R2, 4
  LOP.or R2, R2, 0x70f
  SEL R2, R2, RZ, P1               # the mask: nothing in even lanes,
  ISETP.eq P1, R0, 20
  SEL R2, R2, 0xfff, !P1           # everything in lane 20
  ISETP.t P1, P1, R0, R0           # P1 = false: !t & PT is written last
  MOV32I R3, 0x0a5a1234
  ISETP.ne P2, R0, 30
  MOV32I R4, 0xffff0000
  LOP.or R2, R2, R4                # bits of the mask above 15 have no effect
  MOV R5, RZ
  @P2 MOV R5, R2                   # lane 30: nothing selected
  ISETP.f P2, R0, R0
  R2P.hi R3, R5
  P2R R6, RZ, -1
  store R6
