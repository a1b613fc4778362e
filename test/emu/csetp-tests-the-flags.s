# CSETP and CSET test ZF SF CF OF; the sixteen states of the flags stand in lanes 0 to 15 (bit 0 ZF, 1 SF, 2 CF, 3 OF).
# ZF and SF together are "unordered". Bit k of the result: test k of the list below passed.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "sum(1*t << i for i, t in enumerate((lambda z, s, c, o, l, e, g, u: [l<0, l, e, l|e, g, l|g, g|e, l|e|g, u, l|u, e|u, l|e|u, g|u, l|g|u, g|e|u, l<2, ~c, ~c|z, c&~z, c, o, ~o, s, ~s])(*(lambda z, s, c, o: (z, s, c, o, ~z & (s^o), z & ~s, ~z & ~(s^o), z & s))(*((lane >> k & 1).astype(bool) for k in range(4))))))"
  .include "Inputs/lane.inc"
  .macro  bit test, k
  CSETP.\test P0, PT
  @P0 LOP.or R2, R2, R3
  SHL     R3, R3, 1
  .endm
  begin
  SHL     R1, R0, 8
  R2P     R1, 0xf00
  MOV     R2, RZ
  MOV     R3, 1
  .irp    test, f, lt, eq, le, gt, ne, ge, num, nan, ltu, equ, leu, gtu, neu, geu, t, lo, ls, hi, hs, of, nof, sf, nsf
  bit     \test
  .endr
  store R2
