# What two programs run that share one machine: a long kernel, and short ones that cannot wait.
        .include "leno/structured.inc"

# steps[i]: how often 3n+1 or n/2 takes n = i + 1 to 1. Lanes are done at very different times.
        .kernel collatz
        .param  u32 count
        .param  ptr steps
        .reg    n, R4
        .reg    taken, R5
        .reg    at[0:1], R6
        .pred   done, P0
        .pred   odd, P1
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        S2R     R2, SR_NTID.X
        IMAD    R0, R1, R2, R0
        ISETP.ge.u32 P0, R0, c[0][count]
  @P0   EXIT
        IADD    n, R0, 1
        MOV     taken, 0
        LOOP
            ISETP.eq    done, n, 1
  @done     BREAK
            LOP.and     R1, n, 1
            ISETP.ne    odd, R1, 0
  @odd      IMUL        n, n, 3
  @odd      IADD        n, n, 1
  @!odd     SHR.u32     n, n, 1
            IADD        taken, taken, 1
        ENDLOOP
        SHL     R0, R0, 2
        IADD.CC at[0], R0, c[0][steps]
        IADD.X  at[1], RZ, c[0][steps+4]
        STG     [at[0].64], taken
        EXIT
        .endkernel

# answer += the squares of one CTA's words, modulo 2^32.
        .kernel squares
        .param  ptr words
        .param  ptr answer
        .reg    at[0:1], R6
        S2R     R0, SR_TID.X
        SHL     R0, R0, 2
        IADD.CC at[0], R0, c[0][words]
        IADD.X  at[1], RZ, c[0][words+4]
        LDG     R1, [at[0].64]
        IMUL    R1, R1, R1
        MOV     at[0], c[0][answer]
        MOV     at[1], c[0][answer+4]
        RED.add [at[0].64], R1
        EXIT
        .endkernel
