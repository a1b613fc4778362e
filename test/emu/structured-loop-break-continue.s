# LOOP, BREAK and CONTINUE, guarded and inside an IF, each lane with its own number of turns; a loop in a loop; UNTIL.
# RUN: %leno-run %s --block 64 --arg out:u32[64]:%t.npy
# RUN: %python %tools/expect.py %t.npy "np.array([sum(sum(range(j + 1)) for j in range(n) if j % 3 != 1) + 1000 for n in range(64)])"
  .include "Inputs/lane.inc"
  .include "leno/structured.inc"
  begin
  .reg sum, R1
  .reg j, R2
  .reg i, R3
  MOV sum, RZ
  MOV j, -1
  LOOP
    IADD j, j, 1
    ISETP.ge P0, j, R0
    IF P0
      BREAK
    ENDIF
    IMUL R4, j, 0xaaab                  # j / 3 = j * 0xaaab >> 17 for these
    SHR.u32 R4, R4, 17
    IMUL R4, R4, 3
    IADD R4, j, -R4
    ISETP.eq P1, R4, 1
    @P1 CONTINUE
    MOV i, RZ
    loop
      IADD sum, sum, i
      ISETP.ge P2, i, j
      IADD i, i, 1
    until P2
  ENDLOOP
  IADD sum, sum, 1000
  store sum
