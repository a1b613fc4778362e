# A continue out of a divergent if unwinds the if's entries too.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 2 == 1, 3, 15)"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  MOV R2, RZ
  LOP.and R3, R0, 1
  ISETP.ne P0, R3, RZ
  PBK done
turn:
  ISETP.ge P1, R2, 3
  @P1 BRK
  PCNT next
  SSY join
  @P0 BRA odd
  SYNC
odd:
  IADD R1, R1, 1
  CONT
join:
  IADD R1, R1, 5
  CONT
next:
  IADD R2, R2, 1
  BRA turn
done:
  store R1
