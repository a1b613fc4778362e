# VADD.u32.SAT.b2 clamps to a byte and leaves the rest of c.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "(np.minimum(200 + 3 * lane, 255) << 16) | 0x5a005a5a"
  .include "Inputs/lane.inc"
  begin
  IMUL R1, R0, 3
  MOV R2, 0x5a5a5a5a
  MOV R4, 200
  VADD.u32.SAT.b2 R3, R4, R1, R2
  store R3
