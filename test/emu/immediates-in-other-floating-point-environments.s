# An immediate of single precision that becomes a double or a half when code is loaded does so in the default environment, whatever
# the host has set (hosts that flush subnormals and round upward, downward and toward zero), and the host finds its own afterwards.
# RUN: %hosts %s 1 1 out:32:%t.bin
# RUN: %python -c "import numpy as np; np.save(r'%t.npy', np.fromfile(r'%t.bin', np.uint64))"
# RUN: %python %tools/expect.py %t.npy "np.array([0x37cb400000000000, f64(-np.float32(2.0**-130).astype(np.float64)), 0x1200, 0x3c00], np.uint64)"
  .kernel k
  .param ptr out
  IMAD.WIDE.u32 R2, RZ, 8, c[0][out]
  F2F.f64.f64 R4, 0x0006d000      # 0x6d 2^-137: a subnormal single
  STG.64 [R2.64], R4
  F2F.f64.f64 R4, 0x80080000      # -2^-130
  STG.64 [R2.64+8], R4
  F2F.f16.f16 R4, 0x3a400000      # 1.5 2^-11
  MOV R5, 0
  STG.64 [R2.64+16], R4
  F2F.f16.f16 R4, 0x3f801000      # 1 + 2^-11, halfway between two halves
  STG.64 [R2.64+24], R4
  EXIT
  .endkernel
