# The idiom: try in a loop, do the work under the predicate, give the lock back, leave. 3 CTAs of 64 threads add to a counter and to
# a sum that lies elsewhere, with plain loads and stores, and turns so short that warps meet in the middle.
# RUN: %leno-run %s --grid 3 --block 64 --set scheduler.quantum=3 --arg out:u32[3]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([192, sum(range(192)) * 3 % 2**32, 192])"
# RUN: %leno-run %s --grid 3 --block 64 --set sm.count=1 --set scheduler.quantum=7 --arg out:u32[3]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([192, sum(range(192)) * 3 % 2**32, 192])"
  .kernel test
  .param ptr out
  S2R R0, SR_TID.X
  S2R R1, SR_CTAID.X
  IMAD R0, R1, 64, R0
  MOV R4, c[0][out]
  MOV R5, c[0][out+4]
  PBK done
again:
  LDLK P0, R1, [R4.64]
  @P0 IADD R1, R1, 1
  @P0 LDG R2, [R4.64+4]
  @P0 IMAD R2, R0, 3, R2
  @P0 STG [R4.64+4], R2
  @P0 STUL [R4.64], R1
  @P0 BRK
  BRA again
done:
  MOV R6, 1                       # all lanes are together again
  ATOM.add R7, [R4.64+8], R6
  EXIT
  .endkernel
