# FUNCTION, RETURN in some lanes, CALL from under an IF, recursion.
# RUN: %leno-run %s --block 32 --arg out:u32[32]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.where(lane % 4 == 0, 7, lane * (lane + 1) // 2)"
  .include "Inputs/lane.inc"
  .include "leno/structured.inc"
  begin
  MOV R1, 7
  LOP.and R2, R0, 3
  ISETP.ne P0, R2, 0
  MOV R3, R0
  IF P0
    MOV R1, RZ
    CALL triangle
  ENDIF
  store R1
  FUNCTION triangle                     # R1 += R3 + (R3 - 1) + ... + 1
    ISETP.eq P1, R3, 0
    @P1 RETURN
    IADD R1, R1, R3
    IADD R3, R3, -1
    call triangle
  ENDFUNCTION
