# DADD, DMUL and DFMA with .CC write the flags of their result, as FADD.CC does; branches test them, too.
# Bits of an operation: less, equal, greater, unordered, OF, CF.
# RUN: %python -c "import numpy as np; v = [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 5e-324, -5e-324, 1e308]; np.save(r'%t.in.npy', np.array([x for a in v for b in v for x in (a, b)], float))"
# RUN: %leno-run %s --block 100 --arg out:u32[100]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "sum((lambda x: (x < 0) + 2 * (x == 0) + 4 * (x > 0) + 8 * np.isnan(x))(x).astype(np.uint32) << 6 * i for i, x in enumerate((lambda a, b: (a - b, a * b, a + b))(*np.load(r'%t.in.npy').reshape(100, 2).T))) + (lambda a, b: (a < b).astype(np.uint32) << 18)(*np.load(r'%t.in.npy').reshape(100, 2).T)"
  .include "Inputs/lane.inc"
  .include "Inputs/flags.inc"
  begin_with_input
  SHL     R250, R0, 4
  IADD.CC R250, R250, c[0][in]
  IADD.X  R251, RZ, c[0][in+4]
  LDG.128 R8, [R250.64]
  MOV     R1, RZ
  MOV     R4, 1
  all_flags
  DADD.CC RZ, R8, -R10
  outcome
  DMUL.CC R12, R8, R10
  outcome
  DFMA.CC R12, R8, 1.0, R10
  outcome
  DADD.CC RZ, R8, -R10
  SSY     join
  BRA     CC.LT, less
  BRA     away
less:
  LOP.or  R1, R1, R4
away:
  SYNC
join:
  store R1
