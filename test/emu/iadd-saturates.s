# IADD.SAT clamps to the signed range.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.minimum(0x7ffffff0 + lane, 0x7fffffff)"
  .include "Inputs/lane.inc"
  begin
  MOV32I R1, 0x7ffffff0
  IADD.SAT R2, R1, R0
  store R2
