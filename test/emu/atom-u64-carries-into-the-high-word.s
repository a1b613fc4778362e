# 64-bit operations on pairs: add over the middle, min and max as unsigned.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0xfffffff0, 0, 5, 1, 0, 0, 0, 0], np.uint32))"
# RUN: %leno-run %s --block 32 --arg inout:%t.in.npy:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0xfffffff0 + 31 * 16 & 0xffffffff, 1 + 32, 0, 0, 31, 0x80000000, 0x80000000, 31])"
  .kernel test
  .param ptr data
  S2R R0, SR_TID.X
  MOV R2, c[0][data]
  MOV R3, c[0][data+4]
  MOV R4, 16
  ISETP.eq P0, R0, RZ
  @P0 MOV R4, RZ
  MOV R5, 1
  ATOM.add.u64 R6, [R2.64], R4          # 31 * 16 + 32 * 2^32
  MOV R8, RZ
  MOV R9, RZ
  ATOM.min.u64 R6, [R2.64+8], R8
  MOV R8, R0
  MOV32I R9, 0x80000000
  ATOM.max.u64 R6, [R2.64+16], R8
  MOV R9, R0
  MOV32I R8, 0x80000000
  ATOM.max.u64 RZ, [R2.64+24], R8
  EXIT
  .endkernel
