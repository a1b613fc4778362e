# With .NaN a NaN, quiet or signalling and of either sign, first or second, gives the canonical NaN; zeros are in order, and
# numbers chosen as ever. FMIN, FMAX, DMIN and DMAX take it, too.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0x7fffffff, 0xff800001, 0x7f812345, 0x80000000, 0x7f800000], np.uint32))"
# RUN: %leno-run %s --block 5 --arg out:u32[5]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x7fffffff, 0x7fffffff, 0x7fffffff, 0x80000000, 0])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  FMIN.NaN R2, R1, RZ
  FMNMX.nan R3, RZ, R1, !PT       # the sources the other way round
  ISETP.ne P0, R2, R3
  @P0 MOV R2, 1
  F2F.f64.f32 R4, R1              # and as doubles
  DMIN.NaN R6, R4, RZ
  DMNMX.NaN R8, RZ, R4, !PT
  F2F.f32.f64 R6, R6
  F2F.f32.f64 R8, R8
  ISETP.ne P0, R2, R6
  ISETP.ne.or P0, R2, R8, P0
  @P0 MOV R2, 2
  FMAX.NaN R3, R1, RZ             # the maximum of -0 and 0 is 0, of infinity and 0 infinity
  ISETP.eq P1, R0, 3
  ISETP.ne.and P0, R3, RZ, P1
  @P0 MOV R2, 3
  DMAX.NaN R8, R4, RZ
  F2F.f32.f64 R8, R8
  ISETP.ne P0, R8, R3
  @P0 MOV R2, 4
  store R2
