# IF, ELSE and ENDIF of leno/structured.inc, nested, with both polarities and in both cases.
# RUN: %leno-run %s --block 64 --arg out:u32[64]:%t.npy
# RUN: %python %tools/expect.py %t.npy "1000 + np.where(lane % 2, np.where(lane < 16, 120, 10), np.where(lane >= 40, 1, 2))"
  .include "Inputs/lane.inc"
  .include "leno/structured.inc"
  begin
  .pred odd, P0
  .pred low, P1
  LOP.and R2, R0, 1
  ISETP.ne odd, R2, RZ
  ISETP.lt low, R0, 16
  MOV R1, RZ
  IF odd
    IF low
      IADD R1, R1, 120
    ELSE
      IADD R1, R1, 10
    ENDIF
  ELSE
    ISETP.lt low, R0, 40
    if !low
      IADD R1, R1, 1
    else
      IADD R1, R1, 2
    endif
  ENDIF
  IADD R1, R1, 1000
  store R1
