# LLVM computes while it is loaded, and compiled code in the machine's environment: hosts that flush subnormals and round upward,
# downward and toward zero get the same bits, and find their own environment afterwards, flags included.
# REQUIRES: compiled
# RUN: env LENO_TIER=compiled LENO_CACHE=off %hosts %s 1 32 out:128:%t.bin
# RUN: %python -c "import numpy as np; np.save(r'%t.npy', np.fromfile(r'%t.bin', np.float32))"
# RUN: %python %tools/expect.py %t.npy "np.arange(32, dtype=np.float32) * np.float32(0.1)"
        .kernel k
        .param  ptr out
        S2R     R0, SR_TID.X
        I2F.f32.u32 R1, R0
        FMUL32I R1, R1, 0x3dcccccd              # 0.1: inexact
        IMAD.WIDE.u32 R2, R0, 4, c[0][out]
        STG     [R2.64], R1
        EXIT
        .endkernel
