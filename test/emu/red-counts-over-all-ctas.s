# Threads of many CTAs on several multiprocessors count in one word.
# RUN: %leno-run %s --grid 37 --block 96 --arg out:u32[4]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([37 * 96, 37 * 96 * 95 // 2, 36, 0])"
  .kernel test
  .param ptr out
  S2R R0, SR_TID.X
  S2R R1, SR_CTAID.X
  MOV R2, c[0][out]
  MOV R3, c[0][out+4]
  MOV R4, 1
  RED.add [R2.64], R4
  RED.add.s32 [R2.64+4], R0
  RED.max [R2.64+8], R1
  EXIT
  .endkernel
