# FADD, FMUL and FFMA with .CC write the flags of their result: below zero, zero of either sign, above, or a NaN, which is
# unordered; carry and overflow are cleared. Lanes that do not execute keep theirs: all set, and so unordered.
# Bits of an operation: less, equal, greater, unordered, OF, CF.
# RUN: %python -c "import numpy as np; v = [0.0, -0.0, 1, -1, 2.5, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 3e38, -3e38]; np.save(r'%t.in.npy', np.array([(a, b) for a in v for b in v], np.float32))"
# RUN: %leno-run %s --block 144 --arg out:u32[144]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "sum((lambda x: (x < 0) + 2 * (x == 0) + 4 * (x > 0) + 8 * np.isnan(x))(x).astype(np.uint32) << 6 * i for i, x in enumerate((lambda a, b: (a - b, a * b, (a.astype(float) * b + 1).astype(np.float32)))(*np.load(r'%t.in.npy').T))) + (56 << 18) * np.uint32(1)"
  .include "Inputs/lane.inc"
  .include "Inputs/flags.inc"
  begin_with_input
  load64  R2
  MOV     R1, RZ
  MOV     R4, 1
  all_flags
  FADD.CC RZ, R2, -R3
  outcome
  all_flags
  FMUL.CC RZ, R2, R3
  outcome
  all_flags
  MOV     R6, 1.0
  FFMA.CC R7, R2, R3, R6
  outcome
  all_flags
  @!PT FADD.CC R7, R2, R3
  outcome
  store R1
