# A uniform BRA.SSY pushes its join too: the SYNC finds it.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "107"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  @!PT BRA.SSY then, join
  IADD R1, R1, 7
  SYNC
then:
  MOV R1, -1
  SYNC
join:
  IADD R1, R1, 100
  store R1
