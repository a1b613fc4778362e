# The upper word of a double in and out, the lower cut off: of 1/3 and 1/sqrt(3); subnormals are kept.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0x40080000, 0, 0x80000000, 0x7ff00000, 0x00080000, 0x00040000, 0xfff00001, 0x7fd00001] * 2, np.uint32))"
# RUN: %leno-run %s --block 16 --arg out:u32[16]:%t.npy --arg in:%t.in.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x3fd55555, 0x7ff00000, 0xfff00000, 0, 0x7fe00000, 0x7ff00000, 0x7fffffff, 0x000fffff, 0x3fe279a7, 0x7ff00000, 0xfff00000, 0, 0x5fe6a09e, 0x5ff00000, 0x7fffffff, 0x1fffffff])"
  .include "Inputs/lane.inc"
  begin_with_input
  load R1
  ISETP.ge P0, R0, 8
  MUFU.RCP64H R2, R1
  @P0 MUFU.RSQ64H R2, R1
  store R2
