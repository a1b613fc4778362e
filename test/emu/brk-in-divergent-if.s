# A break out of a divergent if unwinds the if's entry too.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "lane + 1"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  PBK done
loop:
  IADD R1, R1, 1
  ISETP.lt P0, R0, R1
  SSY join
  @P0 BRA leave
  SYNC
leave:
  BRK
join:
  BRA loop
done:
  store R1
