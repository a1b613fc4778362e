# LOP and SHL with .CC tell whether the result is zero and its top bit; carry and overflow are cleared. AND, OR, XOR and NOT
# are LOP. Bits of an operation: ZF (equal or unordered), SF, OF, CF.
# RUN: %leno-run %s --block 64 --arg out:u32[64]:%t.npy
# RUN: %python %tools/expect.py %t.npy "sum((lambda x: (x == 0) + 2 * (x >> 31))(x & 0xffffffff).astype(np.uint32) << np.uint32(4 * i) for i, x in enumerate((lambda t: (t & 7, t - 3 << 26, ~t, t ^ 0x80000001, t & 0xfffffff0, t << 28))(np.arange(64))))"
  .include "Inputs/lane.inc"
  .macro  outcome
  CSETP.eq P1, PT
  CSETP.nan.or P1, PT, P1
  CSETP.sf P2, PT
  CSETP.of P3, PT
  CSETP.hs P4, PT
  .irp    predicate, P1, P2, P3, P4
  @\predicate LOP.or R1, R1, R4
  SHL     R4, R4, 1
  .endr
  MOV     R5, 0xf00
  R2P     R5, 0xf00
  .endm
  begin
  MOV     R1, RZ
  MOV     R4, 1
  MOV     R5, 0xf00
  R2P     R5, 0xf00
  LOP.and.CC RZ, R0, 7
  outcome
  IADD    R6, R0, -3
  SHL.CC  R7, R6, 26
  outcome
  NOT.CC  R7, R0
  outcome
  LOP32I.xor.CC R7, R0, 0x80000001
  outcome
  AND.CC  R7, R0, -16
  outcome
  SHL.CC.W R7, R0, 60
  outcome
  store R1
