# The source format picks and extends the low bits.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "f32(np.where(lane + 120 > 127, -256.0, 0.0))"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, 120
  I2F.s8 R2, R1
  I2F.u8 R3, R1
  FADD R2, R2, -R3
  store R2
