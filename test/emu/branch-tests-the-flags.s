# BRA CC.test: a lane takes the branch when its guard is true and its flags pass the test; both must hold [S1].
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where((lane < 10) & (lane % 2 == 1), 1, 2) + 16 * np.where(lane >= 10, 1, 2)"
  .include "Inputs/lane.inc"
  begin
  LOP.and R1, R0, 1
  ISETP.eq P0, R1, 1
  MOV R1, 10
  IADD.CC RZ, R0, -R1
  MOV R2, 2
  BRA.SSY CC.GEU, over, joined     # nobody is unordered
  MOV R2, 34
  IADD R2, R2, -32
  SYNC
over:
  MOV R3, 16
  SYNC
joined:
  MOV R3, 32
  SSY met
  BRA CC.hs, above
  SYNC
above:
  MOV R3, 16
  SYNC
met:
  SSY done
  @P0 BRA cc.Lt, one
  SYNC
one:
  MOV R2, 1
  SYNC
done:
  IADD R2, R2, R3
  store R2
