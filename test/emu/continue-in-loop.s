# Lanes that continue wait for the turn's end and go on together at the pre-continue's address.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([sum(1 if (l + i) % 3 == 0 else 10 for i in range(8)) for l in range(32)]) + 1000"
  .include "Inputs/lane.inc"
  begin
  MOV R1, RZ
  MOV R2, RZ                    # i
  PBK done
turn:
  ISETP.ge P0, R2, 8
  @P0 BRK
  PCNT next                     # each turn has its own
  IADD R3, R0, R2
  IMUL R4, R3, 21846
  SHR.u32 R4, R4, 16            # (l + i) / 3
  IMUL R4, R4, 3
  ISETP.eq P1, R3, R4
  @P1 IADD R1, R1, 1
  @P1 CONT
  IADD R1, R1, 10
  CONT
next:
  VOTE.any R5, P2, PT           # all lanes are here again
  ISETP.ne P3, R5, -1
  @P3 MOV R1, -9999
  IADD R2, R2, 1
  BRA turn
done:
  IADD R1, R1, 1000
  store R1
