# KIL ends its lanes as EXIT does; --stats counts them apart.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy --stats | FileCheck %s
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 12, lane + 1, 0)"
# CHECK: discarded lanes 20
  .include "Inputs/lane.inc"
  begin
  ISETP.lt P0, R0, 12
  @!P0 KIL
  IADD R1, R0, 1
  store R1
