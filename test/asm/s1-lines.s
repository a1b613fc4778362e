# The lines of S1 that Architecture.md 3 quotes assemble as they stand.
# RUN: %leno-as -c %s -o %t.o
# RUN: %leno-objdump %t.o | FileCheck %s
    ISETP.lt P2, R0, R1 ;               #P2 = (R0 < R1)
# CHECK: ISETP.lt P2, R0, R1;
    ISETP.lt P1, R0, R1;
# CHECK-NEXT: ISETP.lt P1, R0, R1;
    ISETP.gt.and P2, P3, R2, R3, !P1;   #P2 = (R2 > R3) & !P1; P3 = !(R2 > R3) & !P1
# CHECK-NEXT: ISETP.gt P2, P3, R2, R3, !P1;
    PSETP.and.or P0, P1, !P2, P3, !P4;
# CHECK-NEXT: PSETP.and.or P0, P1, !P2, P3, !P4;
    @P2 IADD R1, R2, R3 ;
# CHECK-NEXT: @P2 IADD R1, R2, R3;
    @PT IMUL R2, R4, R6 ;
# CHECK-NEXT: {{^[[:space:]]}}IMUL R2, R4, R6;
