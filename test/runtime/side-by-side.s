# Pairs and fours of words that lie side by side are moved at once: word for word as one by one, of all lanes or some.
# REQUIRES: compiled
# RUN: %leno-run %s --block 32 --arg out:u32[256]:%t.txt
# RUN: FileCheck %s < %t.txt
# RUN: env LENO_VECTOR=sse2 %leno-run %s --block 32 --arg out:u32[256]:%t.sse2.txt
# RUN: cmp %t.txt %t.sse2.txt
# RUN: env LENO_TIER=compiled %leno-run %s --block 32 --arg out:u32[256]:%t.compiled.txt
# RUN: cmp %t.txt %t.compiled.txt
# RUN: env LENO_TIER=compiled LENO_VECTOR=sse2 %leno-run %s --block 32 --arg out:u32[256]:%t.sse2.compiled.txt
# RUN: cmp %t.txt %t.sse2.compiled.txt
        .kernel sideBySide
        .param  ptr out                         # four words a lane, and four more
        .shared fours, 512
        .shared pairs, 256
        S2R     R0, SR_TID.X
        SHL     R1, R0, 4
        IADD.CC R2, R1, c[0][out]
        IADD.X  R3, RZ, c[0][out+4]
        # Word k of lane i is 100 i + k.
        IMUL    R4, R0, 100
        IADD    R5, R4, 1
        IADD    R6, R4, 2
        IADD    R7, R4, 3
        STG.128 [R2.64], R4
        # One by one, and stored as fours in shared memory, in the opposite order.
        LDG     R11, [R2.64]
        LDG     R10, [R2.64+4]
        LDG     R9, [R2.64+8]
        LDG     R8, [R2.64+12]
        STS.128 [R1+fours], R8
        # The upper halves of these as pairs: 100 i + 1, 100 i.
        LDS.128 R12, [R1+fours]
        SHL     R16, R0, 3
        STS.64  [R16+pairs], R14
        LDS.64  R20, [R16+pairs]
        LDG.64  R22, [R2.64+8]                  # not side by side: 100 i + 2, 100 i + 3
        LDG.128 R24, [R2.64]
        # Of odd lanes nothing is moved.
        LOP.and R17, R0, 1
        ISETP.eq P0, R17, RZ
        MOV     R28, 7
        MOV     R29, 7
        MOV     R30, 7
        MOV     R31, 7
  @P0   LDG.128 R28, [R2.64]
  @P0   STG.64  [R2.64+512], R20
  @!P0  STG.64  [R2.64+512], R28
        STG     [R2.64+520], R22
        STG     [R2.64+524], R27
        EXIT
        .endkernel
# CHECK:      {{^0$}}
# CHECK-NEXT: {{^1$}}
# CHECK-NEXT: {{^2$}}
# CHECK-NEXT: {{^3$}}
# CHECK-NEXT: {{^100$}}
# CHECK:      {{^3103$}}
# CHECK-NEXT: {{^1$}}
# CHECK-NEXT: {{^0$}}
# CHECK-NEXT: {{^2$}}
# CHECK-NEXT: {{^3$}}
# CHECK-NEXT: {{^7$}}
# CHECK-NEXT: {{^7$}}
# CHECK-NEXT: {{^102$}}
# CHECK-NEXT: {{^103$}}
# CHECK-NEXT: {{^201$}}
# CHECK-NEXT: {{^200$}}
# CHECK-NEXT: {{^202$}}
# CHECK-NEXT: {{^203$}}
# CHECK:      {{^3000$}}
# CHECK-NEXT: {{^3002$}}
# CHECK-NEXT: {{^3003$}}
# CHECK-NEXT: {{^7$}}
# CHECK-NEXT: {{^7$}}
# CHECK-NEXT: {{^3102$}}
# CHECK-NEXT: {{^3103$}}
