# The sum of floats is rounded after each lane, lowest first; a subnormal is kept.
# RUN: %leno-run %s --block 32 --arg out:f32[34]:%t.npy
# RUN: %python %tools/expect.py %t.npy "[np.add.accumulate(np.concatenate([[np.float32(0)], (np.arange(32) * 1048577 + 1).astype(np.float32)]), dtype=np.float32)[i] for i in range(33)] + [np.float32(32 * 2.0 ** -140)]"
  .include "Inputs/lane.inc"
  begin
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  MOV32I R4, 1048577
  IMUL R4, R0, R4
  IADD R4, R4, 1
  I2F R5, R4
  ATOM.add.f32 R1, [R2.64+128], R5
  MOV R6, 0x200
  RED.add.f32 [R2.64+132], R6
  store R1
