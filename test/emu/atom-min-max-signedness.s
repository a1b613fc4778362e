# -1 is the least signed and the greatest unsigned number; lanes bring 16 - lane.
# RUN: %leno-run %s --block 32 --arg out:i32[4]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([min(16 - l for l in range(32)), max(16 - l for l in range(32)), min((16 - l) % 2**32 for l in range(32)), max((16 - l) % 2**32 for l in range(32))])"
  .kernel test
  .param ptr out
  .shared words, 16
  S2R R0, SR_TID.X
  MOV R1, 5
  SHL R2, R0, 2
  ISETP.lt P0, R0, 4
  @P0 STS [R2], R1
  IADD R3, -R0, 16
  ATOMS.min.s32 RZ, [0], R3
  ATOMS.max.s32 RZ, [4], R3
  ATOMS.min.u32 RZ, [8], R3
  ATOMS.max RZ, [12], R3
  @P0 LDS R4, [R2]
  IADD R2, R2, c[0][out]
  @P0 STG [R2], R4
  EXIT
  .endkernel
