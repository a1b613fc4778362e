# BRX: each lane goes to the label plus its register. The lowest lane's target runs first; the others branch again.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.choose((lane + 1) % 4, [100, 200, 300, 400]) + np.choose((lane + 1) % 4, [4, 1, 2, 3])"
  .include "Inputs/lane.inc"
  begin
  IADD R1, R0, 1
  LOP.and R1, R1, 3
  SHL R1, R1, 4                    # two instructions an entry
  S2R R5, SR_CLOCKLO               # when the case began: the order of the cases
  SSY join
  BRX R1, table
table:
  MOV R2, 100
  BRA mark
  MOV R2, 200
  BRA mark
  MOV R2, 300
  BRA mark
  MOV R2, 400
mark:
  S2R R4, SR_CLOCKLO
  SYNC
join:
  # The rank of this lane's case among the four, by the clock.
  MOV R3, 1
  .irp from, 0, 1, 2, 3
  SHFL.idx R6, R4, \from, 0x1f
  ISETP.lt P0, R6, R4
  @P0 IADD R3, R3, 1
  .endr
  IADD R2, R2, R3
  store R2
