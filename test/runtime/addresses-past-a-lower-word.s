# Addresses whose lower words begin anew between lanes, made of a base and an index whose sum is a plain array: each lane
# has its own upper word, or the same by two ways. On either tier every lane stores where it should.
# REQUIRES: compiled
# RUN: %leno-run %s --kernel past --grid 3 --block 64 --arg out:u32[384]:%t.txt
# RUN: FileCheck %s < %t.txt
# RUN: env LENO_TIER=compiled %leno-run %s --kernel past --grid 3 --block 64 --arg out:u32[384]:%t.widest.txt
# RUN: cmp %t.txt %t.widest.txt
# RUN: env LENO_TIER=compiled LENO_VECTOR=sse2 %leno-run %s --kernel past --grid 3 --block 64 --arg out:u32[384]:%t.sse2.txt
# RUN: cmp %t.txt %t.sse2.txt
# RUN: not %leno-run %s --kernel apart --grid 80 --block 32 --arg out:u32[384]:%t.no.txt 2> %t.traps
# RUN: FileCheck --check-prefix=APART %s < %t.traps
# RUN: not env LENO_TIER=compiled %leno-run %s --kernel apart --grid 80 --block 32 --arg out:u32[384]:%t.no.txt 2> %t.widest.traps
# RUN: cmp %t.traps %t.widest.traps
# RUN: not env LENO_TIER=compiled LENO_VECTOR=sse2 %leno-run %s --kernel apart --grid 80 --block 32 --arg out:u32[384]:%t.no.txt 2> %t.sse2.traps
# RUN: cmp %t.traps %t.sse2.traps
# APART: ADDRESS_OUT_OF_RANGE {{.*}} lanes 16-31
        .kernel past
        .param  ptr out                         # two words a thread
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        IMAD    R1, R1, 64, R0                  # the thread
        MOV     R6, R1
        # Of the index 2^30 - 16 and more, four bytes each, before the array by 2^32 - 64.
        MOV32I  R2, 0x3ffffff0
        IADD    R2, R2, R1
        IADD.CC R8, RZ, c[0][out]
        IADD.X  R9, RZ, c[0][out+4]
        IADD.CC R8, R8, 64
        IADD.X  R9, R9, -1
        LEA.CC  R4, R2, R8, 2
        LEA.HI.X R5, R2, R9, RZ, 2
        STG     [R4.64], R6
        # Downwards: of the index -1 - i, before the word behind the array.
        IADD.CC R8, RZ, c[0][out]
        IADD.X  R9, RZ, c[0][out+4]
        MOV32I  R10, 1536
        IADD.CC R8, R8, R10
        IADD.X  R9, R9, RZ
        IADD    R2, -R1, -1
        SHL     R3, R2, 2
        IADD.CC R4, R3, R8
        IADD.X  R5, R9, -1
        IADD    R7, R6, 1000
        STG     [R4.64], R7
        EXIT
        .endkernel

        .kernel apart                           # from lane 16 on 4 GiB further, of lower words side by side
        .param  ptr out
        S2R     R0, SR_TID.X
        S2R     R1, SR_CTAID.X
        SHR.u32 R1, R1, 6                       # of the first 64 CTAs all is well
        MOV32I  R2, 0x3ffffff0
        IMAD    R2, R2, R1, R0
        IADD    R8, RZ, c[0][out]
        IADD    R8, R8, 64
        IADD    R9, RZ, c[0][out+4]
        LEA     R4, R2, R8, 2
        LEA.HI  R5, R2, R9, RZ, 2
        STG     [R4.64], R0
        EXIT
        .endkernel
# CHECK:      {{^0$}}
# CHECK-NEXT: {{^1$}}
# CHECK-NEXT: {{^2$}}
# CHECK:      {{^15$}}
# CHECK-NEXT: {{^16$}}
# CHECK-NEXT: {{^17$}}
# CHECK:      {{^191$}}
# CHECK-NEXT: {{^1191$}}
# CHECK-NEXT: {{^1190$}}
# CHECK:      {{^1001$}}
# CHECK-NEXT: {{^1000$}}
# CHECK-NOT: {{.}}
