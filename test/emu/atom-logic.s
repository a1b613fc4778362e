# and, or and xor of 32 and 64 bits over all lanes.
# RUN: %python -c "import numpy as np; np.save(r'%t.in.npy', np.array([0xffffffff, 0, 0xf0f0f0f0, 0, 0xffffffff, 0xffffffff, 0, 1], np.uint32))"
# RUN: %leno-run %s --block 32 --arg inout:%t.in.npy:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([0x7fffffff & ~31 | 0, 0xffffffff, 0xf0f0f0f0 ^ np.bitwise_xor.reduce(np.arange(32) * 257), 0, ~0x10 & 0xffffffff, ~1 & 0xffffffff, 0x3f, 0xffff])"
  .kernel test
  .param ptr data
  S2R R0, SR_TID.X
  MOV R2, c[0][data]
  MOV R3, c[0][data+4]
  MOV R4, 1
  SHL R4, R4, R0                 # 1 << lane
  MOV32I R6, 0x7fffffe0
  RED.and [R2.64], R6
  RED.or [R2.64+4], R4
  IMUL R7, R0, 257
  RED.xor [R2.64+8], R7
  MOV32I R8, ~0x10
  MOV32I R9, ~1
  RED.and.u64 [R2.64+16], R8
  MOV R10, 0x3f
  MOV R11, 0xfffe
  RED.or.u64 [R2.64+24], R10
  EXIT
  .endkernel
