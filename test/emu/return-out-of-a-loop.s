# RET inside a loop unwinds the loop's entry.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "100 + np.maximum(lane, 1)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  CAL f
  IADD R1, R1, 100
  store R1
f:
  PBK done
loop:
  IADD R1, R1, 1
  ISETP.ge P0, R1, R0
  @P0 RET
  BRA loop
done:
  RET
