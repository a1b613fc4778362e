# PRET names the return address apart from the jump into the function.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane < 8, lane, lane * 2) + 100"
  .include "Inputs/lane.inc"
  begin
  MOV R1, R0
  PRET back
  BRA.U f
  MOV R1, RZ                    # never reached
back:
  IADD R1, R1, 100
  store R1
f:
  ISETP.lt P0, R0, 8
  @P0 RET
  IADD R1, R1, R1
  RET
