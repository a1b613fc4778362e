# A NaN, quiet or signalling and of either sign, gives way to a number; two NaNs give the canonical one.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0x7fffffff, 0xff800001, 0x7f812345, 0xffc00000], np.uint32))"
# RUN: %leno-run %s --block 4 --arg out:u32[4]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([f32(-2.0), f32(3.0), 0x7fffffff, 0x7fffffff])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  ISETP.eq P0, R0, 0
  ISETP.eq P1, R0, 1
  MOV R2, R1
  @P0 MOV32I R2, -2.0
  @P1 MOV32I R2, 3.0
  FMNMX R3, R1, R2, P0            # a maximum in lane 0 alone
  FMNMX R4, R2, R1, !P0           # the sources the other way round
  ISETP.ne P2, R3, R4
  @P2 MOV R3, 1
  store R3
